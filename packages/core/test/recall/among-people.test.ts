import { describe, expect, test } from "vitest";
import type { Memory } from "@loci/domain";
import { asksOfKnownThing, isAmongPeople } from "../../src/index.ts";
import { answerFloorAmong } from "../../src/recall/relevance-floor.ts";

describe("a question of a thing that is taken for known", () => {
  test.each([
    "Why was the migration postponed?",
    "How long did the trial copy take?",
    "Who runs the coffee place?",
    "What held up the internet connection?",
    "THE boiler, what was wrong with it?",
  ])("%s", (question) => expect(asksOfKnownThing(question)).toBe(true));

  test.each([
    "What is the capital of Mongolia?",
    "What is the boiling point of ethanol?",
    "What's the difference between weather and climate?",
    "How far away is the Moon?",
    "Who was the first woman in space?",
    "Which is the longest river?",
    "How do I clean the oven?",
    "Explain the offside rule.",
    "Which theatre is open?",
    "Who wrote War and Peace?",
    "the",
    "",
  ])("not %s", (question) => expect(asksOfKnownThing(question)).toBe(false));
});

describe("what is among people", () => {
  const turn = (speaker: string): Pick<Memory, "provenance" | "origin"> => {
    return { origin: "manual", provenance: { kind: "conversation", sourceId: "conversation:a", speaker } };
  };
  const fact: Pick<Memory, "provenance" | "origin"> = { origin: "manual" };

  test("is mostly turns of several people", () => {
    expect(isAmongPeople([turn("Mara"), turn("Jon")])).toBe(true);
    expect(isAmongPeople([turn("Mara"), turn("Jon"), fact])).toBe(true);
  });

  test("is not what one person says, what an assistant or a tool speaks in, nor mostly facts", () => {
    expect(isAmongPeople([])).toBe(false);
    expect(isAmongPeople([turn("Mara"), turn("Mara")])).toBe(false);
    expect(isAmongPeople([turn("Mara"), turn("Jon"), turn("assistant")])).toBe(false);
    expect(isAmongPeople([turn("Mara"), turn("Jon"), fact, fact])).toBe(false);
    expect(
      isAmongPeople([
        { ...turn("Mara"), origin: "capture" },
        { ...turn("Jon"), origin: "capture" },
      ]),
    ).toBe(false);
  });
});

test("the answer floor grows beyond 100 candidates only where it is said to, as it does up to 100", () => {
  const floors = { relevanceFloor: 0.17, answerFloor: 0.31 };
  const growing = { ...floors, answerFloorGrows: true };
  for (const candidates of [0, 1, 5, 50, 100])
    expect(answerFloorAmong(candidates, growing)).toBeCloseTo(answerFloorAmong(candidates, floors), 12);
  expect(answerFloorAmong(400, floors)).toBe(0.31);
  expect(answerFloorAmong(400, growing)).toBeCloseTo(0.17 + (0.14 * Math.log(400)) / Math.log(100), 12);
  // Where a call sets the floor, it is one for all.
  expect(answerFloorAmong(400, { relevanceFloor: 0.2, answerFloor: 0.2, answerFloorGrows: true })).toBe(0.2);
});
