import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

/** The texts that are remembered of one turn of a user. */
const remembered = (said: string): readonly string[] =>
  capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? [text] : []));

describe("the rules read English, and make nothing of other languages", () => {
  test.each([
    "No me gusta el pescado.",
    "No me llames mañana, por favor.",
    "Pero no me des consejos.",
    "Siempre responde en español.",
    "Non me lo dire.",
    "Ne me parle pas.",
    "Bitte antworte immer auf Deutsch.",
    "ピーナッツアレルギーがあります。",
    "أفضل القهوة على الشاي.",
  ])("%s", (said) => expect(remembered(said)).toEqual([]));

  test.each(["My name is 健太", "My name is أحمد", "I live in München", "My favourite city is 東京"])(
    "but names are names in English: %s",
    (said) => expect(remembered(said)).toHaveLength(1),
  );
});

describe("a value that the rules do not read is no value", () => {
  test.each(["My favorite emoji is 🦊", "My favourite colour is"])("%s", (said) =>
    expect(remembered(said)).toEqual([]),
  );

  test("nor is it what is said next", () => {
    const turns = turnsOf("user: My favorite emoji is 🦊", "assistant: OK.", "user: I live in Rome.");
    const texts = capture(turns).flatMap(({ reason, text }) => (reason === null ? [text] : []));
    expect(texts).toEqual(["The user lives in Rome."]);
  });
});

test.each(["She said: I live in Rome.", "Tom wrote: I am allergic to nuts."])(
  "whose words another's are is not the user: %s",
  (said) => expect(remembered(said)).toEqual([]),
);
