import { describe, expect, test } from "vitest";
import type { KnownMemory } from "../../src/capture/index.ts";
import { capture, memory, turnsOf } from "./captured.ts";

/** What is known after one statement after the other, each in a session of its own. */
function knownAfter(...said: readonly string[]): readonly string[] {
  let known: readonly KnownMemory[] = [];
  for (const [index, text] of said.entries()) {
    for (const { decision, target, text: kept } of capture(turnsOf(`user: ${text}`), known)) {
      if (decision === "UPDATE" || decision === "DELETE") known = known.filter(({ id }) => id !== target);
      if (decision === "ADD" || decision === "UPDATE") known = [...known, memory(`m${index}`, kept)];
    }
  }
  return known.map(({ text }) => text);
}

describe("what is replaced part by part", () => {
  test("is told as a whole, the newest first", () => {
    const known = knownAfter(
      "We use React with Redux, tests in Jest, deployed on Vercel",
      "we moved from Jest to Vitest",
      "deploys go to Fly now instead of Vercel",
      "we switched from Redux to Zustand",
    );
    expect(known).toEqual([
      "The team switched from Redux to Zustand (before: Deploys go to Fly now instead of Vercel; The team moved from Jest to Vitest; The team uses React with Redux, tests in Jest, deployed on Vercel)",
    ]);
  });

  test("leaves out what was told anew", () => {
    const known = knownAfter(
      "My squat is 100 kg, bench 70, deadlift 130",
      "squat is 105 now",
      "bench is at 75 now",
      "squat went up to 110",
    );
    expect(known).toEqual([
      "Squat went up to 110 (before: Bench is at 75 now; The user's squat is 100 kg, bench 70, deadlift 130)",
    ]);
  });

  test("and twice in one session is replaced once, by what rests on both places", () => {
    const known = memory("kids", "Noor plays hockey on Saturdays, Bram has swimming lessons on Wednesday");
    const candidates = capture(
      turnsOf(
        "user: Noor quit hockey, she does judo now",
        "assistant: Noted.",
        "user: Bram's swimming is on Friday now",
      ),
      [known],
    );
    expect(candidates.map(({ decision, target }) => [decision, target])).toEqual([
      ["NOOP", "kids"],
      ["UPDATE", "kids"],
    ]);
    expect(candidates[1]?.text).toBe(
      `Bram's swimming is on Friday now (before: Noor quit hockey, she does judo now; ${known.text})`,
    );
    expect(candidates[1]?.evidence.map(({ turn }) => turn)).toEqual([3, 1]);
  });

  test("by a sentence and the next one as well", () => {
    const known = memory("doctor", "Our vet is Dr Holm, open until six, and Kira gets her shots in May");
    const candidates = capture(turnsOf("user: Dr Holm retired. The young one is Dr Lind."), [known]);
    expect(candidates.map(({ decision }) => decision)).toEqual(["NOOP", "UPDATE"]);
    expect(candidates[1]?.text).toBe(`The young one is Dr Lind. (before: Dr Holm retired.; ${known.text})`);
  });

  test("stays beside the new words when both are too long for one memory", () => {
    const long = `Our stack is React, tests in Jest, and ${"a part of it that has a name of its own, ".repeat(14)}and Redux`;
    const [candidate] = capture(turnsOf("user: we switched from Jest to Vitest"), [memory("stack", long)]);
    expect(candidate).toMatchObject({ decision: "ADD", target: null, text: "The team switched from Jest to Vitest" });
  });

  test("does not end with the day of what takes its place", () => {
    const known = memory("dentist", "The user's dentist is Dr. Vos in Gent, check-up on 3 May");
    const [candidate] = capture(turnsOf("user: The check-up moved to 10 May"), [known]);
    expect(candidate).toMatchObject({ decision: "UPDATE", validTo: null });
  });
});

test("what is told as a whole carries nothing along", () => {
  expect(knownAfter("My budget is 700 euros", "My budget is 900 euros now")).toEqual([
    "The user's budget is 900 euros now",
  ]);
  expect(knownAfter("Delivery costs 6.50", "Delivery isn't 6.50 any more but 7.90")).toEqual([
    "Delivery isn't 6.50 any more but 7.90",
  ]);
});
