import type { TurnInput } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { repetitions } from "../src/repetitions.ts";

/** Turns of the user and the assistant in turn. */
function talk(...texts: readonly string[]): readonly TurnInput[] {
  return texts.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
}

const thanks = ["Thanks.", "You are welcome."] as const;
const seat = ["A seat?", "4A."] as const;
const meal = ["A meal?", "Soup."] as const;

describe("a run stands in a session already", () => {
  test.each([
    ["alone", [], [...seat], [0]],
    ["behind what was said before it", [...seat], [...seat, ...meal], [2]],
    ["before what others have said since", [...seat], [...seat, ...meal, ...thanks], [2]],
    ["a second time", [...meal], [...meal, ...meal], [2]],
    ["behind what is kept of a history that was cut", [...thanks], [...seat, ...thanks, ...meal], [4]],
  ])("%s", (_, before, session, places) => {
    const run = talk(...session.slice(places[0], Number(places[0]) + 2));
    expect(repetitions(run, talk(...before), talk(...session))).toEqual(places);
  });

  test("before somebody else said again what was said before it, which only a late one can know", () => {
    const session = talk(...seat, ...thanks, ...seat);
    expect(repetitions(talk(...thanks), talk(...seat), session)).toEqual([]);
    expect(repetitions(talk(...thanks), talk(...seat), session, { isLate: true })).toEqual([2]);
    expect(repetitions(talk(...seat), talk(...seat), talk(...seat), { isLate: true })).toEqual([]);
  });

  test("with a secret taken out", () => {
    const session = talk("My card is [redacted: card], and my code [redacted: password].", "Noted.");
    const run = (text: string): readonly TurnInput[] => talk(text, "Noted.");
    expect(repetitions(run("My card is 4539, and my code x1."), [], session)).toEqual([0]);
    expect(repetitions(run("My card is 4539."), [], session)).toEqual([]);
    expect(repetitions(run("My name is Ann."), [], session)).toEqual([]);
  });
});

describe("a run that says what was said before is another one", () => {
  test.each([
    ["at once", [...thanks], [...thanks]],
    ["later", [...thanks, ...seat], [...thanks, ...seat]],
    ["later, where the first time is cut off", [...seat], [...thanks, ...seat]],
    ["after a question that was given up", [...thanks, "Wait."], [...thanks]],
    ["a third time", [...thanks, ...thanks], [...thanks, ...thanks]],
  ])("%s", (_, before, session) => {
    expect(repetitions(talk(...thanks), talk(...before), talk(...session))).toEqual([]);
  });
});

test("turns as long as they may be are compared quickly, also those that all say the same", () => {
  // Each a text of its own, not the same one.
  const session = Array.from({ length: 300 }, (): TurnInput => {
    return { role: "user", content: Buffer.alloc(262_000, "x").toString("latin1") };
  });
  const start = performance.now();
  repetitions(session.slice(100, 101), session.slice(0, 200).toReversed(), [...session, ...talk(...thanks)]);
  expect(performance.now() - start).toBeLessThan(1_000);
});
