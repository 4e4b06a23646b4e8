import { nthSmallest } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";

test("finds at every place what sorting puts there", () => {
  // Of few values, so that many are equal.
  const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(-Infinity), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 60, size: "max" }), (numbers) => {
      const sorted = Float64Array.from(numbers).toSorted();
      for (const place of sorted.keys())
        // Whether 0 is positive makes no difference.
        expect(nthSmallest(Float64Array.from(numbers), place) + 0).toBe((sorted[place] as number) + 0);
    }),
  );
});
