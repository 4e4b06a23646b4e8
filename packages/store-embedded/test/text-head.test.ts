import { Bm25, memoryId, type ScopeText } from "@loci/domain";
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

interface Scored {
  readonly ref: string;
  readonly score: number;
}

const bm25Of = (terms: readonly string[]): Bm25 =>
  new Bm25({ documents: 200, totalLength: 700, documentFrequencies: terms.map((_, index) => 7 + index) });

const scored = (head: TextHead, scopes: readonly ScopeText[], terms: readonly string[]): readonly Scored[] => {
  const found: Scored[] = [];
  head.score(scopes, terms, bm25Of(terms), (number, score) => {
    found.push({ ref: head.refs.ref(number), score });
  });
  return found.toSorted((left, right) => (left.ref < right.ref ? -1 : 1));
};

/** Row by row, by what ranks texts everywhere. */
const expected = (
  among: readonly IndexRow<TextContent>[],
  scopes: readonly ScopeText[],
  terms: readonly string[],
): readonly Scored[] =>
  among
    .filter(({ scope, content }) => scopes.includes(scope) && terms.some((term) => content.terms.has(term)))
    .map(({ ref, content }) => ({
      ref,
      score: bm25Of(terms).score(
        terms.map((term) => content.terms.get(term) ?? 0),
        content.length,
      ),
    }));

test.each([
  { name: "a seldom word", terms: ["seldom"], scopes: ["user:0"], found: 3 },
  { name: "a frequent word", terms: ["often"], scopes: ["user:0"], found: 30 },
  { name: "both", terms: ["seldom", "often"], scopes: ["user:0"], found: 30 },
  { name: "both, the other way round", terms: ["often", "seldom"], scopes: ["user:2", "user:0"], found: 60 },
  { name: "a word in every scope", terms: ["often"], scopes: ["user:0", "user:1", "user:2"], found: 90 },
  { name: "a frequent word in a scope of one row", terms: ["often", "seldom"], scopes: ["user:small"], found: 1 },
  { name: "a scope given twice", terms: ["often"], scopes: ["user:0", "user:0"], found: 30 },
  { name: "no word that is there", terms: ["never"], scopes: ["user:0"], found: 0 },
  { name: "no scope that is there", terms: ["often"], scopes: ["user:none"], found: 0 },
] as const)("$name: the rows that have it and their scores", ({ terms, scopes, found }) => {
  const all = [...rows, row(90, "user:small", "often")];
  const head = new TextHead();
  for (const each of all) head.add(each);
  expect(scored(head, scopes, terms)).toEqual(expected(all, scopes, terms));
  expect(scored(head, scopes, terms)).toHaveLength(found);
});

test("what is removed is found in no scope and by no word", () => {
  const head = new TextHead();
  for (const each of rows) head.add(each);
  for (const each of rows) if (each.scope !== "user:1") head.remove(each);
  for (const scope of ["user:0", "user:2"] as const) expect(scored(head, [scope], ["often"])).toEqual([]);
  expect(scored(head, ["user:0", "user:1", "user:2"], ["often"])).toHaveLength(30);
  expect([head.rowsWith("often"), head.rowsWith("seldom")]).toEqual([30, 0]);
});

test("one row that changes again and again takes no more room than some", () => {
  const head = new TextHead();
  const others = rows.slice(0, 10);
  for (const each of others) head.add(each);
  let before = row(99, "user:0", "word0 often");
  head.add(before);
  for (let version = 1; version < 2_000; version++) {
    const after = row(99, "user:0", `word${version} often`);
    head.remove(before);
    head.add(after);
    before = after;
  }
  expect(head.numberedRows).toBeLessThan(300);
  expect([head.rowsWith("often"), head.rowsWith("word1998"), head.rowsWith("word1999")]).toEqual([11, 0, 1]);
  expect(head.totalLength).toBe([...others, before].reduce((sum, { content }) => sum + content.length, 0));
  expect(scored(head, ["user:0"], ["often", "word1999"])).toEqual(
    expected([...others, before], ["user:0"], ["often", "word1999"]),
  );
});

test.each([30, 1])("how often words stand in %i rows is told by their numbers, in any order", (asked) => {
  const head = new TextHead();
  for (const each of rows) head.add(each);
  for (const each of rows.slice(0, 45)) head.remove(each);
  const terms = ["seldom", "never", "often"];
  const found: number[] = [];
  head.score(["user:0", "user:2"], terms, bm25Of(terms), (number) => {
    found.push(number);
  });
  expect(found).toHaveLength(30);
  const numbers = found.toReversed().slice(0, asked);
  const frequencies = new Float64Array(numbers.length * terms.length);
  head.writeFrequencies(terms, numbers, [...numbers.keys()], frequencies);
  const byRef = new Map(rows.map((each) => [each.ref, each]));
  expect([...frequencies]).toEqual(
    numbers.flatMap((number) => terms.map((term) => byRef.get(head.refs.ref(number))?.content.terms.get(term) ?? 0)),
  );
});

test("a row is known by its number, with its ref and its version, until it is removed", () => {
  const head = new TextHead();
  for (const each of rows) head.add({ ...each, version: 7 });
  expect(head.numberOf(rows[3] as IndexRow<TextContent>)).toBeUndefined();
  const again = row(3, "user:0", "seldom");
  head.add(again);
  const number = head.numberOf(again) as number;
  expect([head.refs.ref(number), head.refs.version(number), head.lengths[number]]).toEqual([again.ref, 1, 1]);
  head.remove(again);
  expect(head.numberOf(again)).toBeUndefined();
});

test("what a filter said of a row is not said of the one that has its number later", () => {
  const head = new TextHead();
  const filter = { field: "category", operator: "equals", value: "fact" } as const;
  const gone = Array.from({ length: 300 }, (_, number) => row(number, "user:0", "often"));
  for (const each of gone) head.add(each);
  const facts = [row(400, "user:0", "often"), row(401, "user:0", "often")].map((each) => {
    return { ...each, fields: { ...each.fields, category: "fact" } };
  });
  for (const each of facts) head.add(each);
  const verdicts = (): readonly (readonly [string, boolean])[] => {
    const said = head.filterOf(filter);
    const found: number[] = [];
    head.score(["user:0"], ["often"], bm25Of(["often"]), (number) => {
      found.push(number);
    });
    return found.map((number) => [head.refs.ref(number), said.passes(number)]);
  };
  expect(verdicts().filter(([, passes]) => passes)).toHaveLength(2);
  for (const each of gone) head.remove(each);
  expect(head.numberedRows).toBeLessThan(300);
  expect(verdicts()).toEqual(facts.map(({ ref }) => [ref, true]));
});
