import { type Filter, memoryId, type Ref, type ScopeText } from "@loci/domain";
import { expect, test } from "vitest";
import type { IndexRow } from "../src/segments/index-row.ts";
import { CandidateCollector } from "../src/vectors/candidate-collector.ts";
import { quantiseQuery, quantiseVector } from "../src/vectors/quantise.ts";
import type { VectorContent } from "../src/vectors/vector-content.ts";
import { VectorHead } from "../src/vectors/vector-head.ts";
import { VectorScan } from "../src/vectors/vector-scan.ts";

type Row = IndexRow<VectorContent>;

const dimensions = 32;
const vector = (seed: number): Float32Array => {
  const values = Float32Array.from({ length: dimensions }, (_, at) => Math.sin((seed + 1) * (at + 1)));
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
};
const row = (number: number, scope: ScopeText, { vectors = 1, category = "fact" } = {}): Row => ({
  ref: memoryId(`01890000-0000-7000-8000-${String(number).padStart(12, "0")}`),
  version: number,
  scope,
  fields: { category },
  content: Array.from({ length: vectors }, (_, place) => quantiseVector(vector(10 * number + place))),
});
const isProcedure: Filter = { field: "category", operator: "equals", value: "procedure" };

/** The refs of all rows that each filter finds in the scopes. */
const found = (head: VectorHead, scopes: readonly ScopeText[], filters: readonly (Filter | undefined)[]): Ref[][] => {
  const collectors = filters.map(() => new CandidateCollector(1_000));
  const scan = new VectorScan([quantiseQuery(vector(0))], () => undefined);
  const targets = filters.map((where, place) => ({ where, collectors: [collectors[place] as CandidateCollector] }));
  const entries: number[] = [];
  for (const scope of scopes) entries.push(...head.scan(scope, scan, targets, 100 + entries.length));
  return collectors.map((collector) =>
    collector.candidates().rows.map((number) => head.refs.ref(entries[number - 100] as number)),
  );
};

test("rows of two scopes are found by their own numbers, also where they lie between each other or have no vector", () => {
  const head = new VectorHead(dimensions);
  const rows = Array.from({ length: 60 }, (_, number) =>
    row(number, `user:${number % 2}`, { vectors: [1, 1, 1, 0, 3, 1][number % 6] }),
  );
  for (const each of rows) head.add(each);
  for (const each of rows.slice(10, 20)) head.remove(each);
  const left = rows.filter(({ content }, number) => content.length > 0 && (number < 10 || number >= 20));
  const refsIn = (scope: ScopeText): Ref[] => left.filter((each) => each.scope === scope).map(({ ref }) => ref);
  expect(found(head, ["user:1", "user:0"], [undefined])).toEqual([[...refsIn("user:1"), ...refsIn("user:0")]]);
  expect(found(head, ["user:none", "user:0"], [undefined])).toEqual([refsIn("user:0")]);
});

test("a filter that found nothing finds what comes later", () => {
  const head = new VectorHead(dimensions);
  const facts = Array.from({ length: 40 }, (_, number) => row(number, "user:0"));
  for (const each of facts) head.add(each);
  const refs = facts.map(({ ref }) => ref);
  for (let time = 0; time < 3; time++)
    expect(found(head, ["user:0"], [{ not: isProcedure }, isProcedure])).toEqual([refs, []]);
  const procedure = row(50, "user:0", { category: "procedure" });
  head.add(procedure);
  expect(found(head, ["user:0"], [{ not: isProcedure }, isProcedure])).toEqual([refs, [procedure.ref]]);
  head.remove(procedure);
  expect(found(head, ["user:0"], [{ not: isProcedure }, isProcedure])).toEqual([refs, []]);
});
