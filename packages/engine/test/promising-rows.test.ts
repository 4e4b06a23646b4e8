import { queryTerms, relevance, subQueries } from "@loci/core";
import { memoryId, type Ref } from "@loci/domain";
import type { TextHit } from "@loci/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bestByWords, promisingRows } from "../src/recall/promising-rows.ts";

const { subQueries: analysed } = queryTerms(subQueries("Where is the kraken? The harbour is closed on Monday."));
const relevanceWeight = 0.5;

function refOf(index: number): Ref {
  return memoryId(`018f0000-0000-7000-8000-${String(index).padStart(12, "0")}`);
}

const everyRow = fc.array(
  fc.record({
    cosines: fc.array(fc.integer({ min: -10, max: 10 }), { minLength: analysed.length, maxLength: analysed.length }),
    scores: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: analysed.length, maxLength: analysed.length }),
  }),
  { minLength: 1, maxLength: 40 },
);

test("no row that is left out is more relevant than one that is kept", () => {
  fc.assert(
    fc.property(everyRow, fc.integer({ min: 1, max: 20 }), (all, limit) => {
      // Each search finds everything, so that what is kept is known exactly.
      const ofEach = all.length + 1;
      const rows = all.map(({ cosines, scores }, index) => {
        return { ref: refOf(index), version: 1, cosines: cosines.map((cosine) => cosine / 10), scores };
      });
      const byWords = analysed.map((_, query) =>
        bestByWords(
          rows
            .filter(({ scores }) => (scores[query] ?? 0) > 0)
            .map(({ ref, version, scores }) => ({ ref, version, score: scores[query] ?? 0 })),
          ofEach,
        ),
      );
      const found = promisingRows(
        {
          byMeaning: { rows, isExhausted: true, unfoundCosines: [] },
          byWords,
          subQueries: analysed,
          relevanceWeight,
        },
        limit,
      );
      expect(found.rows.length).toBeLessThanOrEqual(limit);
      const bests = byWords.map(({ bestScore }) => bestScore || 1);
      const relevanceOf = ({ cosines, scores }: (typeof rows)[number]): number =>
        Math.max(
          ...analysed.map(
            ({ weight }, query) =>
              weight * relevance(cosines[query], (scores[query] ?? 0) / (bests[query] ?? 1), relevanceWeight),
          ),
        );
      const refs = new Set(found.rows.map(({ ref }) => ref));
      const kept = rows.filter(({ ref }) => refs.has(ref)).map(relevanceOf);
      const left = rows.filter(({ ref }) => !refs.has(ref)).map(relevanceOf);
      expect(Math.max(-1, ...left)).toBeLessThanOrEqual(Math.min(...kept));
    }),
    { numRuns: 500 },
  );
});

test("a row found by words alone is judged by the cosine it may have", () => {
  const byWords = analysed.map(() => bestByWords([{ ref: refOf(1), version: 1, score: 3 }], 10));
  const near = [2, 3].map((index) => ({ ref: refOf(index), version: 1, cosines: analysed.map(() => 0.9 / index) }));
  const found = promisingRows(
    {
      byMeaning: { rows: near, isExhausted: false, unfoundCosines: analysed.map(() => 0.3) },
      byWords,
      subQueries: analysed,
      relevanceWeight,
    },
    2,
  );
  expect(found.rows.map(({ ref }) => ref)).toEqual([refOf(1), refOf(2)]);
  expect(found.isExhausted).toBe(false);
});

test("rows found by words alone do not push out those that both searches found", () => {
  const both = [7, 8, 9].map((index) => ({ ref: refOf(index), version: 1, cosines: analysed.map(() => 0.6) }));
  const wordy = [1, 2, 3].map((index) => ({ ref: refOf(index), version: 1 }));
  const byWords = analysed.map(() =>
    bestByWords(
      [...both, ...wordy].map((row) => ({ ...row, score: 3 })),
      10,
    ),
  );
  const byMeaning = { rows: both, isExhausted: false, unfoundCosines: analysed.map(() => 0.5) };
  const found = promisingRows({ byMeaning, byWords, subQueries: analysed, relevanceWeight }, 3);
  expect(found.rows.map(({ ref }) => ref)).toEqual(both.map(({ ref }) => ref));
});

test("of equal rows the first by ref are kept", () => {
  const byWords = analysed.map(() =>
    bestByWords(
      [4, 2, 3, 1].map((index) => ({ ref: refOf(index), version: 1, score: 1 })),
      10,
    ),
  );
  const byMeaning = { rows: [], isExhausted: true, unfoundCosines: [] };
  const found = promisingRows({ byMeaning, byWords, subQueries: analysed, relevanceWeight }, 2);
  expect(found.rows.map(({ ref }) => ref)).toEqual([refOf(1), refOf(2)]);
});

test("what words say of a row goes with it, whichever search found it first", () => {
  const hit = (index: number): TextHit => ({ ref: refOf(index), version: 1, length: 3, frequencies: [index] });
  const near = [{ ref: refOf(1), version: 1, cosines: analysed.map(() => 0.9) }];
  const byWords = analysed.map((_, query) =>
    bestByWords(
      [1, 2].map((index) => ({ ref: refOf(index), version: 1, score: 1, words: query === 0 ? hit(index) : undefined })),
      10,
    ),
  );
  const byMeaning = { rows: near, isExhausted: true, unfoundCosines: [] };
  const { rows } = promisingRows({ byMeaning, byWords, subQueries: analysed, relevanceWeight }, 5);
  expect(rows.find(({ ref }) => ref === refOf(1))).toMatchObject({ cosines: near[0]?.cosines, words: hit(1) });
  expect(rows.find(({ ref }) => ref === refOf(2))).toMatchObject({ words: hit(2) });
});

test("of what words have found the best so many are kept, in whatever order they come, and what is left has at most the score of the last", () => {
  const scored = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 30 });
  fc.assert(
    fc.property(scored, fc.integer({ min: 1, max: 20 }), (scores, limit) => {
      const rows = scores.map((score, index) => ({ ref: refOf(index), version: 1, score }));
      const best = rows.toSorted((left, right) => right.score - left.score || (left.ref < right.ref ? -1 : 1));
      const found = bestByWords(rows, limit);
      expect(new Set(found.rows)).toEqual(new Set(best.slice(0, limit)));
      expect(found.bestScore).toBe(best[0]?.score ?? 0);
      expect(found.isExhausted).toBe(rows.length < limit);
      expect(found.unfoundScore).toBe(rows.length < limit ? 0 : best[limit - 1]?.score);
    }),
  );
});
