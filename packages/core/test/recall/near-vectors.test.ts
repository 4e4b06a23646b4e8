import { cosineOfUnitVectors } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { nearCosines, seenVector } from "../../src/recall/near-vectors.ts";
import { propertyRuns } from "../property-runs.ts";

/** Of length 1; a small `spread` leaves most of it in one place, so that it is near to others or far soon. */
const vectors = fc
  .record({ dimensions: fc.constantFrom(1, 31, 32, 33, 64, 100), count: fc.integer({ min: 1, max: 11 }) })
  .chain(({ dimensions, count }) => {
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    const vector = fc
      .tuple(fc.array(number, { minLength: dimensions, maxLength: dimensions }), fc.constantFrom(0.01, 0.1, 1))
      .map(([numbers, spread]) => unit(numbers.map((value, place) => value * spread + (place === 0 ? 1 : 0))));
    return fc.array(vector, { minLength: count + 1, maxLength: count + 1 });
  });

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (value) => (length === 0 ? 0 : value / length));
}

test("cosines that reach the gate are exact to the last bit, and all others are below it", () => {
  const gates = fc.oneof(fc.double({ min: -0.9, max: 1, noNaN: true }), fc.constant(undefined));
  fc.assert(
    fc.property(vectors, gates, fc.nat(), ([one, ...others], drawn, which) => {
      const asked = one as Float32Array;
      const exact = others.map((other) => cosineOfUnitVectors(asked, other));
      // Just at a cosine that there is.
      const gate = drawn ?? exact[which % exact.length] ?? 0;
      const found = [...nearCosines(seenVector(asked), others.map(seenVector), gate)];
      const reaching = (cosines: readonly number[]): readonly (number | undefined)[] =>
        cosines.map((cosine) => (cosine >= gate ? cosine : undefined));
      expect(reaching(found)).toEqual(reaching(exact));
    }),
    { numRuns: propertyRuns(300) },
  );
});
