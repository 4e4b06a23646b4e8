import { memoryId, type ScopeText } from "@loci/domain";
import { expect, test } from "vitest";
import type { IndexRow } from "../src/segments/index-row.ts";
import type { TextContent } from "../src/text/text-content.ts";
import { TextHead } from "../src/text/text-head.ts";

const row = (number: number, scope: ScopeText, words: string): IndexRow<TextContent> => {
  const terms = new Map(words.split(" ").map((word) => [word, 1]));
  const ref = memoryId(`01890000-0000-7000-8000-${String(number).padStart(12, "0")}`);
  return { ref, version: 1, scope, fields: {}, content: { terms, length: terms.size } };
};
const rows = Array.from({ length: 90 }, (_, index) =>
  row(index, `user:${index % 3}`, index % 30 === 0 ? "often seldom" : "often"),
);

const withTerms = (head: TextHead, scopes: readonly ScopeText[], terms: readonly string[]): readonly string[] =>
  [...head.candidates(new Set(scopes), terms)]
    .filter(({ content }) => terms.some((term) => content.terms.has(term)))
    .map(({ ref }) => ref)
    .toSorted();

test.each([
  { name: "a seldom word", terms: ["seldom"], least: 1, most: 3 },
  { name: "a frequent word", terms: ["often"], least: 30, most: 30 },
  { name: "both", terms: ["seldom", "often"], least: 30, most: 30 },
  { name: "no word that is there", terms: ["never"], least: 0, most: 0 },
])("$name of a scope is found, and few others are looked at", ({ terms, least, most }) => {
  const head = new TextHead();
  for (const each of rows) head.add(each);
  const expected = rows.filter(
    ({ scope, content }) => scope === "user:0" && terms.some((term) => content.terms.has(term)),
  );
  expect(withTerms(head, ["user:0"], terms)).toEqual(expected.map(({ ref }) => ref).toSorted());
  const looked = [...head.candidates(new Set<ScopeText>(["user:0"]), terms)].length;
  expect(looked).toBeGreaterThanOrEqual(least);
  expect(looked).toBeLessThanOrEqual(most);
});

test("what is removed is found in no scope and by no word", () => {
  const head = new TextHead();
  for (const each of rows) head.add(each);
  for (const each of rows) if (each.scope !== "user:1") head.remove(each);
  for (const scope of ["user:0", "user:2"] as const) expect(withTerms(head, [scope], ["often"])).toEqual([]);
  expect(withTerms(head, ["user:0", "user:1", "user:2"], ["often"])).toHaveLength(30);
  expect(head.rowsWith("often").size).toBe(30);
});
