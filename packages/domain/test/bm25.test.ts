import { expect, test } from "vitest";
import { Bm25 } from "../src/index.ts";

const statistics = { documents: 10, totalLength: 50, documentFrequencies: [1, 10] };

test("BM25 of a text of average length, by hand", () => {
  // ln(1 + 9.5 / 1.5) · 2.2 / 2.2, and ln(1 + 0.5 / 10.5) · 3 · 2.2 / 4.2
  const rare = Math.log(1 + 9.5 / 1.5);
  const common = (Math.log(1 + 0.5 / 10.5) * 3 * 2.2) / 4.2;
  expect(new Bm25(statistics).score([1, 3], 5)).toBeCloseTo(rare + common, 12);
  expect([...new Bm25(statistics).termScores([1, 3], 5)]).toEqual([
    expect.closeTo(rare, 12),
    expect.closeTo(common, 12),
  ]);
});

test("a rarer word, a shorter text and more occurrences score higher; none scores 0", () => {
  expect(new Bm25(statistics).score([1, 0], 5)).toBeGreaterThan(new Bm25(statistics).score([0, 1], 5));
  expect(new Bm25(statistics).score([1, 0], 4)).toBeGreaterThan(new Bm25(statistics).score([1, 0], 6));
  expect(new Bm25(statistics).score([2, 0], 5)).toBeGreaterThan(new Bm25(statistics).score([1, 0], 5));
  expect(new Bm25(statistics).score([0, 0], 5)).toBe(0);
});

test("an empty index gives no NaN", () => {
  expect(new Bm25({ documents: 0, totalLength: 0, documentFrequencies: [0] }).score([1], 0)).toBeGreaterThanOrEqual(0);
});
