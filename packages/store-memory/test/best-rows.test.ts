import type { Ref } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BestRows } from "../src/best-rows.ts";

test("keeps what sorting everything would keep, ties by ref", () => {
  const score = fc.constantFrom(-0.5, 0, 0.25, 0.5, 1);
  fc.assert(
    fc.property(fc.array(score, { maxLength: 60 }), fc.integer({ min: 1, max: 70 }), (scores, limit) => {
      const rows = scores.map((score, index) => ({ ref: `ref-${(index * 37) % 101}` as Ref, score }));
      const best = new BestRows<(typeof rows)[number]>(limit);
      for (const row of rows) best.offer(row, row.score);
      const expected = rows.toSorted((left, right) => right.score - left.score || (left.ref < right.ref ? -1 : 1));
      expect(best.sorted()).toEqual(expected.slice(0, limit));
    }),
    { seed: 1 },
  );
});
