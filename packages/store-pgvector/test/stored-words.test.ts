import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedCounts, type CountPage } from "../src/text/count-pages.ts";
import { fitTogether, joinedPosting, numberOf, weightOfJoined } from "../src/text/stored-postings.ts";
import { storedWords, termCounter, termsOfWords } from "../src/text/stored-words.ts";

const term = fc.oneof(
  fc.string({ minLength: 1, maxLength: 6, unit: "binary" }),
  fc.string({
    minLength: 1,
    maxLength: 4,
    unit: fc.constantFrom(" ", "\t", "\\", "s", "t", "2", "\uE000", "\u{1F600}"),
  }),
);

test("the words of a text are read as they were written, whatever they are made of", () => {
  fc.assert(
    fc.property(fc.dictionary(term, fc.integer({ min: 1, max: 3 })), (terms) => {
      const written = new Map(Object.entries(terms));
      expect(termsOfWords(storedWords(written))).toEqual(written);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("how often words stand in a text is told as it was written, also of words that do not", () => {
  fc.assert(
    fc.property(fc.dictionary(term, fc.integer({ min: 1, max: 30 })), fc.array(term), (terms, others) => {
      const asked = [...others, ...Object.keys(terms)];
      const frequencies = asked.map((one) => (Object.hasOwn(terms, one) ? (terms[one] as number) : 0));
      const words = storedWords(new Map(Object.entries(terms)));
      expect(termCounter(asked)(words)).toEqual(frequencies);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("a posting that fits into one number is what it was, up to the largest", () => {
  for (const [number, frequency, length] of [
    [1, 1, 1],
    [65_536, 31, 2_047],
    [40_000, 1, 2_047],
  ] as const) {
    const weight = (frequency << 16) | length;
    expect(fitTogether({ numbers: [number], weights: [weight] }, 1)).toBe(true);
    const joined = joinedPosting(number, weight, 1);
    expect(joined).toBe(joined | 0);
    expect([numberOf(joined, 1), weightOfJoined(joined)]).toEqual([number, weight]);
  }
  for (const [number, frequency, length] of [
    [65_537, 1, 1],
    [1, 32, 40],
    [1, 1, 2_048],
  ] as const)
    expect(fitTogether({ numbers: [number], weights: [(frequency << 16) | length] }, 1)).toBe(false);
});

describe("pages of counts", () => {
  const bytes = (text: string): Buffer => Buffer.from(text);
  const inOrder = (pages: Iterable<CountPage>): readonly CountPage[] =>
    [...pages].toSorted((left, right) => Buffer.compare(bytes(left.firstTerm), bytes(right.firstTerm)));

  /** The page that a search looks at for a term, or a writer: of what is before all pages, the first. */
  function pageOf(pages: readonly CountPage[], own: string): CountPage | undefined {
    return pages.findLast(({ firstTerm }) => Buffer.compare(bytes(firstTerm), bytes(own)) <= 0);
  }

  test("say of every term how many texts hold it, and hold no other, however they were divided", () => {
    const changes = fc.array(fc.dictionary(term, fc.integer({ min: -2, max: 3 }), { maxKeys: 120 }), { maxLength: 8 });
    fc.assert(
      fc.property(changes, (batches) => {
        const table = new Map<string, CountPage>();
        const model = new Map<string, number>();
        for (const batch of batches) {
          const changed = new Map(
            Object.entries(batch)
              .map(([own, by]) => [own, Math.max(by, -(model.get(own) ?? 0))] as const)
              .filter(([, by]) => by !== 0),
          );
          if (changed.size === 0) continue;
          for (const [own, by] of changed) model.set(own, (model.get(own) ?? 0) + by);
          const all = inOrder(table.values());
          const read = new Set([...changed.keys()].flatMap((own) => pageOf(all, own) ?? all.slice(0, 1)));
          const { written, gone } = changedCounts(inOrder(read), changed);
          for (const firstTerm of gone) table.delete(firstTerm);
          for (const page of written) table.set(page.firstTerm, page);
        }
        const pages = inOrder(table.values());
        for (const [own, documents] of model) {
          const page = pageOf(pages, own);
          expect(page === undefined ? 0 : (termsOfWords(page.words).get(own) ?? 0)).toBe(documents);
        }
        const listed = pages.flatMap(({ words }) => [...termsOfWords(words).keys()]);
        expect(new Set(listed)).toEqual(
          new Set([...model].flatMap(([own, documents]) => (documents > 0 ? [own] : []))),
        );
        expect(listed).toHaveLength(new Set(listed).size);
        for (const { firstTerm, words } of pages) {
          const own = [...termsOfWords(words).keys()].map(bytes).toSorted((left, right) => Buffer.compare(left, right));
          expect(own[0]).toEqual(bytes(firstTerm));
          expect(words.length).toBeLessThanOrEqual(400);
        }
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});
