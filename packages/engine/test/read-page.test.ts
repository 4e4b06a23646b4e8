import { expect, test } from "vitest";
import { maxPageBytes, readPage } from "../src/calls/read-page.ts";

/** Rows that are numbers, of these sizes, and how many were asked for each time. */
function source(sizes: readonly number[]): { pages(limit: number): Promise<number[][]>; readonly asked: number[] } {
  const asked: number[] = [];
  const pages = async (limit: number): Promise<number[][]> => {
    const found: number[][] = [];
    for (let after = -1; ;) {
      const before = after;
      const page = await readPage<number>({
        limit,
        read: async (last = before, count) => {
          asked.push(count);
          return sizes.map((_, row) => row).slice(last + 1, last + 1 + count);
        },
        bytesOf: (row) => sizes[row] ?? 0,
      });
      found.push([...page.rows]);
      after = page.rows.at(-1) ?? after;
      if (page.isLast) return found;
    }
  };
  return { pages, asked };
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test("a page ends by number, and says whether there is another", async () => {
  expect(await source([]).pages(10)).toEqual([[]]);
  expect(await source(Array(10).fill(1)).pages(10)).toEqual([numbers(0, 10)]);
  expect(await source(Array(11).fill(1)).pages(10)).toEqual([numbers(0, 10), [10]]);
});

test("a page ends by size, with at least one row however large it is", async () => {
  const half = maxPageBytes / 2;
  expect(await source([half, half, half, half, half]).pages(10)).toEqual([[0, 1], [2, 3], [4]]);
  expect(await source([5 * half, half, 5 * half]).pages(10)).toEqual([[0], [1], [2]]);
});

test("no more is read at once than a page of the largest rows may take several times over", async () => {
  const { pages, asked } = source(Array(1_000).fill(64 * 1024));
  expect((await pages(1_000)).length).toBe(Math.ceil(1_000 / 32));
  expect(Math.max(...asked)).toBeLessThanOrEqual(128);
  // Small ones are read in two goes.
  const small = source(Array(1_000).fill(100));
  expect(await small.pages(1_000)).toEqual([numbers(0, 1_000)]);
  expect(small.asked).toEqual([128, 873]);
});
