import type { Turn, TurnInput } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { turnsSaidAlready } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";

const word = fc.constantFrom("yes", "no", "well");
const said = fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), content: word });

function stored(turns: readonly TurnInput[]): readonly Turn[] {
  return turns.map((turn, index) => ({ ...turn, number: index + 1, at: index, recalled: false }));
}

test("a conversation that has grown is known as far as it was, wherever it is given from", () => {
  const conversation = fc.array(said, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(conversation, fc.nat(), fc.nat(), (turns, from, to) => {
      const known = (to % turns.length) + 1;
      const first = from % known;
      const last = stored(turns.slice(0, known));
      const count = turnsSaidAlready(last, turns.slice(first));
      // Words that are repeated may make it more, never less.
      expect(count).toBeGreaterThanOrEqual(known - first);
      expect(turns.slice(first, first + count)).toEqual(turns.slice(known - count, known));
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("giving the same turns again any number of times knows them all", () => {
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 8 }), fc.array(said, { maxLength: 8 }), (turns, before) => {
      expect(turnsSaidAlready(stored([...before, ...turns]), turns)).toBe(turns.length);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("other words, another role and another time are not the same turn", () => {
  const last = stored([{ role: "user", content: "yes" }]);
  expect(turnsSaidAlready(last, [{ role: "user", content: "yes", at: 0 }])).toBe(1);
  expect(turnsSaidAlready(last, [{ role: "user", content: "yes", at: 1 }])).toBe(0);
  expect(turnsSaidAlready(last, [{ role: "assistant", content: "yes" }])).toBe(0);
  expect(turnsSaidAlready(last, [{ role: "user", content: "no" }])).toBe(0);
  expect(turnsSaidAlready([], [{ role: "user", content: "yes" }])).toBe(0);
});
