import fc from "fast-check";
import { expect, test } from "vitest";
import { cosineOfUnitVectors, cosinesOfUnitVectors } from "../src/index.ts";

test("cosines with several vectors are to the last bit those with each of them", () => {
  const numbers = fc.double({ min: -1, max: 1, noNaN: true });
  const vectors = fc
    .record({ dimensions: fc.integer({ min: 1, max: 70 }), count: fc.integer({ min: 0, max: 11 }) })
    .chain(({ dimensions, count }) => {
      const vector = fc.array(numbers, { minLength: dimensions, maxLength: dimensions });
      return fc.tuple(vector, fc.array(vector, { minLength: count, maxLength: count }));
    });
  fc.assert(
    fc.property(vectors, ([one, others]) => {
      const asked = Float32Array.from(one);
      const compared = others.map((other) => Float32Array.from(other));
      const expected = Float64Array.from(compared, (other) => cosineOfUnitVectors(asked, other));
      expect(cosinesOfUnitVectors(asked, compared)).toEqual(expected);
    }),
  );
});
