import { expect, test } from "vitest";
import { maxQueryTerms, queryTerms, subQueries } from "../../src/index.ts";
import { processorTime } from "../processor-time.ts";

const words = (count: number, prefix = "w"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test("a prompt is searched for its first 1,000 distinct terms, in order, however often each is said", () => {
  const prompt = [...words(600), ...words(600), ...words(900)].join(" ");
  const { terms, subQueries: analysed } = queryTerms(subQueries(prompt));
  expect(terms).toEqual(words(maxQueryTerms).slice(0, 900));
  const { terms: more } = queryTerms(subQueries(words(5000).join(" ")));
  expect(more).toEqual(words(maxQueryTerms));
  expect(analysed[0]?.terms).toEqual(terms.map((_, index) => index));
});

test("a sentence behind the first 1,000 terms is searched for those of its terms that are among them", () => {
  const prompt = `${words(1500).join(" ")}. Which deploy uses w3 and w1400 now?`;
  const { terms, subQueries: analysed } = queryTerms(subQueries(prompt));
  expect(terms).toHaveLength(maxQueryTerms);
  for (const { terms: own } of analysed) for (const index of own) expect(index).toBeLessThan(maxQueryTerms);
  expect(analysed.at(-1)?.terms).toEqual([3]);
});

test("a word that is one long path has no more, and a prompt of any size is read only as far as it counts", () => {
  const path = words(5000).join("/");
  expect(queryTerms([{ text: path, weight: 1 }]).terms).toHaveLength(maxQueryTerms);
  const prompt = words(200_000).join(" ");
  expect(processorTime(() => queryTerms(subQueries(prompt)))).toBeLessThan(1000);
});
