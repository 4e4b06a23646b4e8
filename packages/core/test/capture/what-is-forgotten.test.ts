import { describe, expect, test } from "vitest";
import { toldToBeForgotten } from "../../src/capture/extract/told-to-be-forgotten.ts";
import { captureTurns } from "../../src/capture/index.ts";
import { capture, closed, memory, turnsOf } from "./captured.ts";

const allergy = "The user is allergic to peanuts.";
const job = "The user works at Siemens as a nurse.";

describe("who asks for something to be forgotten has it ended", () => {
  test.each([
    [allergy, "Forget that I'm allergic to peanuts."],
    [allergy, "Please forget that I am allergic to peanuts, I was wrong."],
    [job, "You can forget about my job at Siemens."],
    ["The user prefers tea over coffee.", "Oh, and forget what I said about tea."],
    ["The user has two cats.", "Delete that I have two cats."],
    ["The user has two cats.", "Could you remove my cats from your memory?"],
    ["The user lives in Vienna.", "Please forget where I live."],
  ])("%s %s", (known, said) => expect(closed(memory("p1", known), `user: ${said}`)).toEqual(["DELETE"]));

  test("also where the two are said in the same words, so that their vectors are the same", () => {
    const turns = turnsOf("user: Forget that I'm allergic to peanuts.");
    const gates = { duplicate: 0.9, related: 0.6 };
    const memories = [memory("p1", allergy)];
    const { candidates } = captureTurns({ turns, scope: "user:ada", memories, cosineOf: () => 0.99, gates });
    expect(candidates.map(({ decision, target }) => [decision, target])).toEqual([["DELETE", "p1"]]);
  });
});

describe("it is no fact, and ends nothing else", () => {
  test.each([
    "Don't forget that I'm allergic to peanuts.",
    "I always forget that I'm allergic to peanuts.",
    "Forget that I have a cat.",
    "Delete the peanuts from the shopping list.",
    "Remove the allergic reactions from the records.",
  ])("%s", (said) => expect(closed(memory("p1", allergy), `user: ${said}`)).toEqual([]));

  test("what was said before it is remembered", () => {
    const kept = capture(turnsOf("user: I live in Vienna. Please forget that I'm allergic to peanuts."));
    expect(kept.flatMap(({ reason, text }) => (reason === null ? [text] : []))).toEqual(["The user lives in Vienna."]);
  });

  test.each(["Forget that!", "Forget it.", "Forget that I said that.", "Please forget that I told you."])(
    "%s takes back what was just said, as before",
    (said) => {
      const kept = capture(turnsOf(`user: I live in Vienna. ${said}`));
      expect(kept.filter(({ reason }) => reason === null)).toEqual([]);
      expect(toldToBeForgotten(said)).toBeUndefined();
    },
  );
});
