import fc from "fast-check";
import { expect, test } from "vitest";
import { decideRotation, initialThreshold } from "../../src/index.ts";
import golden from "../golden/rotation-adaptive.json" with { type: "json" };
import { propertyRuns } from "../property-runs.ts";

function stepsOf(usages: readonly number[]): readonly { rotate: boolean; threshold: number }[] {
  let state = initialThreshold;
  return usages.map((usage) => {
    const { rotate, next } = decideRotation(state, usage);
    state = next;
    return { rotate, threshold: next.threshold };
  });
}

test.each(golden.cases)("golden: $name", ({ in: { usages }, out }) => {
  expect(stepsOf(usages)).toEqual(out.steps);
});

test("stays between its bounds and moves by one step at a time", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 60 }), (usages) => {
      let before = initialThreshold.threshold;
      for (const { threshold } of stepsOf(usages)) {
        expect(threshold).toBeGreaterThanOrEqual(0.6);
        expect(threshold).toBeLessThanOrEqual(0.95);
        expect([0, 5]).toContain(Math.round(Math.abs(threshold - before) * 100));
        before = threshold;
      }
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("a mean of exactly 0.9 moves nothing, although the sum of ten is off in its last digit", () => {
  expect(stepsOf(Array.from({ length: 12 }, () => 0.9)).at(-1)).toEqual({ rotate: true, threshold: 0.8 });
});

test("keeps ten usages and no more", () => {
  let state = initialThreshold;
  for (let turn = 0; turn < 25; turn += 1) state = decideRotation(state, turn / 100).next;
  expect(state.usages).toEqual([0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.21, 0.22, 0.23, 0.24]);
});

test.each([-0.1, Number.NaN, Infinity])("refuses the usage %d", (usage) => {
  expect(() => decideRotation(initialThreshold, usage)).toThrow(expect.objectContaining({ reason: "INVALID_NUMBER" }));
});
