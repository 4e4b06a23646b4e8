import { describe, expect, test } from "vitest";
import { GatheredPostings } from "../src/text/gather-postings.ts";
import { withoutTexts } from "../src/text/forget-postings.ts";
import { pagesOf } from "../src/text/posting-pages.ts";
import {
  beginningOfSegment,
  emptyTextDivision,
  needsPages,
  segmentOf,
  type TextDivision,
  withSegment,
} from "../src/text/text-segments.ts";

const empty: TextDivision = { ...emptyTextDivision, division: 1 };

/** A scope after batches of so many texts, and how often each text was written on pages. */
function grown(batch: number, texts: number): { readonly scope: TextDivision; readonly writes: number } {
  let scope = empty;
  let written = 0;
  for (let last = batch; last <= texts; last += batch) {
    scope = { ...scope, lastNumber: last, tailLength: scope.tailLength + 20 * batch };
    if (!needsPages(scope)) continue;
    const beginning = beginningOfSegment(scope);
    written += last - beginning + 1;
    scope = withSegment(scope, beginning);
  }
  return { scope, writes: written / texts };
}

describe("segments of a scope", () => {
  test.each([
    [1, 200_000],
    [10, 200_000],
    [1_000, 200_000],
    [5_000, 200_000],
  ])("of batches of %i are few, and texts are written again a few times at most", (batch, texts) => {
    const { scope, writes } = grown(batch, texts);
    const last = scope.segments.length;
    expect(last).toBeLessThanOrEqual(9 + texts / 8_192);
    expect(writes).toBeLessThanOrEqual(4.5);
    expect(scope.segments).toEqual(scope.segments.toSorted((left, right) => left - right));
    expect(scope.lastNumber - scope.pagedThrough).toBeLessThanOrEqual(205);
  });

  test("hold every number up to the last on pages, and none behind it", () => {
    const { scope } = grown(100, 5_000);
    expect(segmentOf(scope, 1)).toBe(1);
    expect(segmentOf(scope, scope.pagedThrough)).toBe(scope.segments.at(-1));
    expect(segmentOf(scope, scope.pagedThrough + 1)).toBeUndefined();
  });
});

// Of short texts a posting is one number; of long ones, and where a term stands in a text very often, it takes two.
describe.each([
  { of: "long texts", length: 40_000, often: 35_000, postingsOfPage: 222 },
  { of: "short texts", length: 1_000, often: 31, postingsOfPage: 445 },
])("pages of postings of $of", ({ length, often, postingsOfPage }) => {
  const gathered = new GatheredPostings();
  for (let number = 1; number <= 1_000; number++)
    gathered.addText({
      number,
      length: length + number,
      terms: [
        ["common", often],
        [`t${number % 300}`, 1],
      ],
    });
  const pages = pagesOf(gathered.sorted(), 1);

  test("are found by their first term, and only those of one common term have parts", () => {
    expect(pages.filter(({ part }) => part > 0).map(({ terms }) => terms)).toEqual(
      Array.from({ length: Math.ceil(1_000 / postingsOfPage) - 1 }, () => ["common"]),
    );
    const firsts = pages.filter(({ part }) => part === 0).map(({ firstTerm }) => firstTerm);
    expect(firsts).toEqual(firsts.toSorted());
    expect(Math.max(...pages.map(({ numbers }) => numbers.length))).toBeLessThanOrEqual(postingsOfPage);
  });

  test("give all postings back, with frequency and length", () => {
    const again = new GatheredPostings();
    for (const page of pages) again.addPage(page);
    expect(again.sorted()).toEqual(gathered.sorted());
    const [common] = again.sorted();
    expect(common?.weights.map((weight) => [(weight >> 16) & 65_535, weight & 65_535]).at(-1)).toEqual([
      often,
      length + 1_000,
    ]);
  });

  test("lose a forgotten text and the terms that only it had", () => {
    const forgotten = new Set([7, 307, 607, 907, 8]);
    const left = new GatheredPostings();
    for (const page of pages.flatMap((own) => withoutTexts(own, forgotten) ?? [])) left.addPage(page);
    const postings = left.sorted();
    expect(postings.some(({ term }) => term === "t7")).toBe(false);
    expect(postings.find(({ term }) => term === "t8")?.numbers).toEqual([308, 608, 908]);
    expect(postings.flatMap(({ numbers }) => numbers).filter((number) => forgotten.has(number))).toEqual([]);
    expect(postings.reduce((sum, { numbers }) => sum + numbers.length, 0)).toBe(2_000 - 10);
  });
});
