import { memoryId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bestHits, type ExactHit } from "../src/best-hits.ts";

/** Of few values, so that many are equal. */
const cosine = fc.oneof(
  fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4),
  fc.constant(-Infinity),
);

test("the best of each query are those at the head of a list that is sorted in full", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cosine, { minLength: 3, maxLength: 3 }), { maxLength: 60, size: "max" }),
      fc.integer({ min: 1, max: 70 }),
      fc.infiniteStream(fc.nat()),
      (rows, limit, order) => {
        const hits = rows.map((cosines, index): ExactHit => ({
          ref: memoryId(`00000000-0000-7000-8000-${index.toString(16).padStart(12, "0")}`),
          version: 1,
          cosines,
        }));
        const shuffled = hits
          .map((hit) => ({ hit, at: order.next().value as number }))
          .toSorted((left, right) => left.at - right.at)
          .map(({ hit }) => hit);
        const best = new Set(
          [0, 1, 2].flatMap((query) =>
            hits.toSorted((left, right) => compare(right.cosines[query]!, left.cosines[query]!)).slice(0, limit),
          ),
        );
        const expected = hits
          .filter((hit) => best.has(hit))
          .toSorted((left, right) => compare(Math.max(...right.cosines), Math.max(...left.cosines)));
        expect(bestHits(shuffled, 3, limit)).toEqual(expected);
      },
    ),
    { seed: 1, numRuns: 1_000 },
  );
});

/** Also of numbers that are infinite, which cannot be subtracted. */
function compare(left: number, right: number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
