import fc from "fast-check";
import { expect, test } from "vitest";
import type { ScoredCandidate } from "../../src/recall/candidate.ts";
import { Rivals } from "../../src/recall/rivals.ts";
import { propertyRuns } from "../property-runs.ts";

const scored = (category: string, score: number): ScoredCandidate =>
  ({ memory: { category }, score }) as unknown as ScoredCandidate;

test("half of a score is enough for a rival, and less is not", () => {
  const fact = scored("fact", 0.8);
  expect(new Rivals([fact, scored("note", 0.4)]).mayGoBefore(fact, 1)).toBe(true);
  expect(new Rivals([fact, scored("note", 0.39)]).mayGoBefore(fact, 1)).toBe(false);
});

test("the best of all other categories that come later is what counts", () => {
  const category = fc.constantFrom("fact", "note", "preference", "procedure");
  const orders = fc.array(fc.tuple(category, fc.integer({ min: 0, max: 8 })), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(orders, (sketches) => {
      const ordered = sketches.map(([name, score]) => scored(name, score));
      const rivals = new Rivals(ordered);
      for (const one of ordered)
        for (let from = 0; from <= ordered.length; from++) {
          const others = ordered
            .slice(from)
            .filter(({ memory }) => !["procedure", one.memory.category].includes(memory.category));
          const expected = one.memory.category !== "procedure" && others.some(({ score }) => score >= one.score / 2);
          expect(rivals.mayGoBefore(one, from)).toBe(expected);
        }
    }),
    { numRuns: propertyRuns(300) },
  );
});
