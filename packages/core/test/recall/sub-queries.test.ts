import fc from "fast-check";
import { expect, test } from "vitest";
import { queryTerms, subQueries } from "../../src/index.ts";
import { processorTime } from "../processor-time.ts";

const texts = (prompt: string): readonly string[] => subQueries(prompt).map(({ text }) => text);

test("the whole prompt first, then its sentences of more than 15 characters", () => {
  expect(
    subQueries("We use v1.2.3 of src/core. Why? Which dataset has the brief?\nSee ADR-007 for the decision"),
  ).toEqual([
    { text: "We use v1.2.3 of src/core. Why? Which dataset has the brief?\nSee ADR-007 for the decision", weight: 1 },
    { text: "We use v1.2.3 of src/core.", weight: 0.6 },
    { text: "Which dataset has the brief?", weight: 0.6 },
    { text: "See ADR-007 for the decision", weight: 0.6 },
  ]);
});

test("one sentence is one sub-query, and no sentence comes twice", () => {
  expect(texts("  Which dataset has the brief?  ")).toEqual(["Which dataset has the brief?"]);
  expect(texts("The same sentence. The same sentence. The same sentence.").slice(1)).toEqual(["The same sentence."]);
  expect(subQueries("")).toEqual([{ text: "", weight: 1 }]);
});

test("exactly 16 characters are more than 15", () => {
  expect(texts("123456789 12345. 123456789 1234.").slice(1)).toEqual(["123456789 12345."]);
});

test("scripts without spaces end sentences too", () => {
  const sentence = "数据库迁移到生产环境之前需要先做备份。";
  expect(texts(`${sentence}谁来做？${sentence.replace("数", "新")}`)).toHaveLength(3);
});

test("at most 8 sentences, whatever the prompt", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 500 }), fc.nat(20), (text, times) => {
      const prompt = Array.from({ length: times }, (_, index) => `${text} number ${index} and on.`).join(" ");
      const queries = subQueries(prompt);
      expect(queries[0]).toEqual({ text: prompt.trim(), weight: 1 });
      expect(queries.length).toBeLessThanOrEqual(9);
      expect(new Set(queries.map((query) => query.text)).size).toBe(queries.length);
      for (const { text, weight } of queries.slice(1)) {
        expect(prompt).toContain(text);
        expect(text.length).toBeGreaterThan(15);
        expect(weight).toBe(0.6);
      }
    }),
  );
});

test.each([["."], [". "], ["\n"], [`."`], [`."x`], ["!?)"], [" "], ["。"]])(
  "a million characters of %j take linear time",
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const time = processorTime(() => expect(subQueries(text).length).toBeLessThanOrEqual(9));
    expect(time).toBeLessThan(20_000);
  },
);

test("the union of terms knows which sub-query has which", () => {
  const { terms, subQueries: analysed } = queryTerms([
    { text: "deploy the dataset", weight: 1 },
    { text: "dataset of birds", weight: 0.6 },
  ]);
  expect(terms).toEqual(["deploy", "dataset", "bird"]);
  expect(analysed).toEqual([
    { weight: 1, terms: [0, 1] },
    { weight: 0.6, terms: [1, 2] },
  ]);
});
