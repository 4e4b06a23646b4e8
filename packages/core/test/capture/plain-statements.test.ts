import { describe, expect, test } from "vitest";
import { capture, outcomes, turnsOf } from "./captured.ts";

const textsOf = (said: string): readonly string[] =>
  capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? text : []));

describe("what is said in few words", () => {
  test.each([
    ["I don't have a car", ["The user doesn't have a car"]],
    ["We don't own a washing machine.", ["The team doesn't own a washing machine."]],
    ["Tests live next to the sources", ["Tests live next to the sources"]],
    ["The docs live in the wiki.", ["The docs live in the wiki."]],
    ["The client is Ferring, contact is Lars Holm", ["The client is Ferring", "Contact is Lars Holm"]],
    ["I'm saving for a house", ["The user is saving for a house"]],
  ])("%s", (said, texts) => expect(textsOf(said)).toEqual(texts));

  test.each([
    "I don't have a clue",
    "I don't have time",
    "I don't have a pen with me",
    "I don't have the file here",
    "Ideas live forever",
    "The client is waiting, the contact is asking",
    "I'm saving the file",
    "I'm saving it for later",
  ])("nothing of %s", (said) => expect(textsOf(said)).toEqual([]));

  test("who shouts is doing it", () =>
    expect(outcomes(capture(turnsOf("user: THE CLIENT IS WAITING")))).toEqual(["TRANSIENT"]));
});
