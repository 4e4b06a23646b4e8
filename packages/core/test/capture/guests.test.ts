import { expect, test } from "vitest";
import { guestsIn } from "../../src/capture/extract/guests.ts";
import { capture, closed, memory, turnsOf } from "./captured.ts";

const kept = (...lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines)).flatMap(({ state, text }) => (state === "active" ? text : []));

test("what somebody says on the user's account is of them, until the user is there again", () => {
  const said = kept(
    "user: Hi, this is Tomasz, Hanne's laptop. I need a recipe.",
    "assistant: Hello Tomasz.",
    "user: I hate coriander.",
    "assistant: Noted.",
    "user: I work at the university library. Always keep it vegan.",
    "assistant: Noted.",
    "user: Hanne here again. I live in Leeds.",
  );
  expect(said).toContain("Tomasz hates coriander.");
  expect(said).toContain("Tomasz works at the university library.");
  expect(said).toContain("The user lives in Leeds.");
  expect(said.join(" ")).not.toMatch(/user (?:hates|works)|vegan/);
});

test("it ends nothing of the user's, and what they ask to be kept from the user is not kept", () => {
  const lines = [
    "user: Tomasz here, using my wife's account.",
    "assistant: Hello.",
    "user: I don't eat meat any more.",
  ];
  expect(closed(memory("m", "The user eats meat.", "diet", "meat"), ...lines)).toEqual([]);
  expect(
    kept(lines[0] ?? "", "assistant: Hello.", "user: I have an interview on 19 February, please don't tell Hanne."),
  ).toEqual([]);
});

test.each([
  "I'm Anna, Tom's mum.",
  "This is Anna from Leeds.",
  "I'm on my laptop.",
  "It's Tomasz, he wants to borrow my laptop.",
  "This is my laptop.",
])("%s: the user", (content) => {
  expect(guestsIn([{ turn: 1, role: "user", content, at: 0 }]).size).toBe(0);
});
