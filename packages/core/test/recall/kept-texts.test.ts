import { cosineOfUnitVectors } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KeptTexts } from "../../src/recall/kept-texts.ts";
import type { ScoredCandidate } from "../../src/recall/candidate.ts";
import { propertyRuns } from "../property-runs.ts";
import { rankingOf } from "./candidates.ts";

const dimensions = 300;
const gate = 0.95;

/** Of length 1; `angle` turns it from the first axis towards another one, which may be far behind. */
function turned(angle: number, axis: number): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[0] = Math.cos(angle);
  vector[axis] = Math.sin(angle);
  return vector;
}

function scored(id: number, vectors: readonly Float32Array[]): ScoredCandidate {
  const [candidate] = rankingOf("kraken", [{ id, text: `kraken${"!".repeat(id)}`, vectors }]).candidates;
  if (candidate === undefined) throw new Error("There is one.");
  const { memory } = candidate;
  return { id: memory.id, index: id, candidate, memory, score: 1, foundBy: "relevance" };
}

/** Where two of them make the gate, nearly or just about. */
const atGate = Math.acos(gate);
const angle = fc.oneof(
  fc.double({ min: 0, max: 1.5, noNaN: true }),
  fc.constantFrom(0, 0.9 * atGate, 0.99 * atGate, atGate, 1.01 * atGate, 1.1 * atGate, 2 * atGate),
);

const vector = fc
  .tuple(angle, fc.constantFrom(1, 2, 31, 32, 33, 255, 256, 257, 299))
  .map(([by, axis]) => turned(by, axis));

test("a text is near another one if all of its vectors are, wherever in them the difference lies", () => {
  const texts = fc.array(fc.array(vector, { maxLength: 2 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(texts, (given) => {
      const kept = new KeptTexts(gate);
      const known: ScoredCandidate[] = [];
      for (const [id, vectors] of given.entries()) {
        const candidate = scored(id, vectors);
        const twin = known.find(({ candidate: { vectors: others = [] } }) => {
          const isNear = (one: Float32Array): boolean =>
            others.some((other) => cosineOfUnitVectors(one, other) >= gate);
          return vectors.length > 0 && vectors.every(isNear);
        });
        if (twin === undefined) known.push(candidate);
        expect(kept.keep(candidate)).toBe(twin);
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});
