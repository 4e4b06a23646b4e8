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
