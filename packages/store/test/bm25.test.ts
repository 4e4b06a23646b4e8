import { bm25 } from "@loci/store";
import { expect, test } from "vitest";

test("agrees with the formula worked out by hand", () => {
  // N = 10, n = 3, average length 5: idf = ln(1 + 7.5 / 3.5); row of 8 terms, 2 of them asked for:
  // penalty = 1.2 × (0.25 + 0.75 × 8 / 5) = 1.74; score = 1.145132304 × 2 × 2.2 / 3.74
  const score = bm25({ documents: 10, totalLength: 50, documentFrequencies: [3] });
  expect(score([2], 8)).toBeCloseTo(1.3472144755, 9);
});

test("adds the terms, and a term that is not there adds nothing", () => {
  const both = bm25({ documents: 10, totalLength: 50, documentFrequencies: [3, 7] });
  const [first, second] = [3, 7].map((rows) => bm25({ documents: 10, totalLength: 50, documentFrequencies: [rows] }));
  expect(both([2, 0], 8)).toBe(first!([2], 8));
  expect(both([2, 1], 8)).toBe(first!([2], 8) + second!([1], 8));
});

test("a term in every row still counts a little, and no statistics give no NaN", () => {
  expect(bm25({ documents: 10, totalLength: 50, documentFrequencies: [10] })([1], 5)).toBeGreaterThan(0);
  expect(bm25({ documents: 0, totalLength: 0, documentFrequencies: [0] })([1], 1)).not.toBeNaN();
});
