import { describe, expect, test } from "vitest";
import { isRelativeValue } from "../../src/capture/extract/relative-values.ts";
import { wordsOf } from "../../src/capture/extract/words.ts";
import { capture, memory, turnsOf } from "./captured.ts";

describe("a value that only the one before it tells", () => {
  test.each([
    "we pushed the launch back a week",
    "moved forward by two weeks",
    "half an hour later",
    "an hour earlier now",
    "it starts ten minutes later",
    "a couple of days later",
  ])("%s", (text) => {
    expect(isRelativeValue(wordsOf(text))).toBe(true);
  });

  test.each(["see you later", "I'm back in Oslo", "two of them came back", "a week ago", "the earlier one", "an hour"])(
    "not in %s",
    (text) => {
      expect(isRelativeValue(wordsOf(text))).toBe(false);
    },
  );
});

describe("what takes place at another time than was known", () => {
  const said = (text: string, known: string): readonly (readonly [string | null, string])[] =>
    capture(turnsOf(`user: ${text}`), [memory("p1", known)]).map(({ decision, text: found }) => [decision, found]);

  test.each([
    [
      "we pushed the launch back a week",
      "The launch is on 16 March.",
      "The team pushed the launch back a week (before: The launch is on 16 March.)",
    ],
    [
      "standup is half an hour later from Monday",
      "The team's standup is at 9:15.",
      "Standup is half an hour later from Monday (before: The team's standup is at 9:15.)",
    ],
    [
      "Correction: the party is not for ten kids, it's for twelve.",
      "Her party is on Saturday, 10 kids, at the climbing wall.",
      "The party is not for ten kids, it's for twelve. (before: Her party is on Saturday, 10 kids, at the climbing wall.)",
    ],
    ["Actually the rent is 1,200 now.", "The rent is 1,150.", "The rent is 1,200 now."],
  ])("%s: says what nobody could tell without what was said before", (text, known, found) => {
    expect(said(text, known)).toEqual([["UPDATE", found]]);
  });

  test.each([
    ["the rent is due a week earlier", "The user's rent is 1,150."],
    ["the review is half an hour later now", "The team's standup is at 9:15."],
  ])("%s: nothing of %s", (text, known) => {
    expect(said(text, known).map(([decision]) => decision)).not.toContain("UPDATE");
  });
});

describe("what one is off", () => {
  test("is no more", () => {
    const known = memory("p1", "The user drinks coffee with oat milk.");
    const found = capture(turnsOf("user: I'm off oat milk, it's just black for me now"), [known]);
    expect(found.map(({ decision }) => decision)).toEqual(["UPDATE"]);
  });

  test.each(["I'm off to lunch", "ok I'm off", "I'm off until Monday"])("but not who is off: %s", (text) => {
    expect(capture(turnsOf(`user: ${text}`)).filter(({ decision }) => decision !== null)).toEqual([]);
  });
});
