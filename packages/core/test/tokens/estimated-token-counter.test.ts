import fc from "fast-check";
import { expect, test } from "vitest";
import { approxTokenCounter, estimatedTokenCounter } from "../../src/index.ts";

test("multiplies and rounds up", () => {
  const counter = estimatedTokenCounter(approxTokenCounter, 1.2);
  expect(counter).toMatchObject({ id: "approx*1.20", estimated: true });
  expect(counter.count("")).toBe(0);
  expect(counter.count("abcd")).toBe(2);
  expect(counter.count("abcd".repeat(10))).toBe(12);
});

test("is exact where binary fractions are not", () => {
  expect(estimatedTokenCounter(approxTokenCounter, 1.1).count("abcd".repeat(10))).toBe(11);
});

test("fits exactly what it counts as fitting", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(60), fc.nat(200), (hundredths, limit, length) => {
      const counter = estimatedTokenCounter(approxTokenCounter, hundredths / 100);
      const text = "x".repeat(length);
      const fitted = counter.fit(text, limit);
      expect(counter.count(fitted)).toBeLessThanOrEqual(limit);
      fc.pre(fitted !== text);
      expect(counter.count(`${fitted}x`)).toBeGreaterThan(limit);
    }),
  );
});

test.each([0, -1, Number.NaN, Infinity, 101])("refuses the factor %s", (factor) => {
  expect(() => estimatedTokenCounter(approxTokenCounter, factor)).toThrow(
    expect.objectContaining({ reason: "INVALID_NUMBER", field: "safetyFactor" }),
  );
});
