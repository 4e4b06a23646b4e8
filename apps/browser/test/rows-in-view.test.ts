import fc from "fast-check";
import { expect, test } from "vitest";
import { firstRow, rowHeight, scrollHeight, scrollTopOf } from "../src/page/parts/rows-in-view.ts";

test("every row of a list of any length can be scrolled to, and no other", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (count, share) => {
      const row = Math.floor(share * (count - 1));
      const top = firstRow(scrollTopOf(row, 720, count), 720, count);
      expect(top).toBeLessThanOrEqual(row + 1e-6);
      expect(top + 720 / rowHeight).toBeGreaterThan(row);
      expect(scrollHeight(count)).toBeLessThanOrEqual(15_000_000);
    }),
  );
});

test("the end of the scroll bar is the last row", () => {
  for (const count of [30, 230_000, 2_300_000]) {
    const end = scrollHeight(count) - 720;
    expect(firstRow(end, 720, count) + 720 / rowHeight).toBeCloseTo(count, 6);
  }
});
