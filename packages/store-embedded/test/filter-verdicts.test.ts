import type { Filter } from "@loci/domain";
import { type IndexFields, matchesFilter } from "@loci/store";
import { expect, test } from "vitest";
import { FilterVerdicts } from "../src/segments/filter-verdicts.ts";

const rows = Array.from({ length: 40 }, (_, number): IndexFields => ({
  category: number % 3 === 0 ? "procedure" : "fact",
  importance: (number % 5) / 4,
  tags: number % 2 === 0 ? ["even"] : [],
}));
const procedures: Filter = { field: "category", operator: "equals", value: "procedure" };
const filters: readonly Filter[] = [
  procedures,
  { not: procedures },
  { and: [{ not: procedures }, { field: "tags", operator: "contains", value: "even" }] },
  ...[0, 0.25, 0.5, 0.75, 1].map((value): Filter => ({ field: "importance", operator: "atLeast", value })),
  { field: "importance", operator: "atMost", value: Infinity },
  { field: "importance", operator: "atMost", value: -Infinity },
  { field: "slot", operator: "equals", value: "null" },
];

test("a filter says the same of a row however often it is asked, and whatever was asked between", () => {
  const verdicts = new FilterVerdicts((number) => rows[number] as IndexFields);
  for (const known of [10, 40, 40])
    for (const filter of filters) {
      const said = verdicts.of(filter, known);
      const some = rows.slice(0, known);
      expect(some.map((_, number) => said.passes(number))).toEqual(some.map((fields) => matchesFilter(filter, fields)));
    }
});

test("a row is compared once, until rows are numbered anew", () => {
  let category = "procedure";
  const verdicts = new FilterVerdicts(() => ({ category }));
  expect(verdicts.of(procedures, 1).passes(0)).toBe(true);
  category = "fact";
  expect(verdicts.of({ ...procedures }, 1).passes(0)).toBe(true);
  verdicts.clear();
  expect(verdicts.of(procedures, 1).passes(0)).toBe(false);
});

test("that none of some rows passes is said once all of them were asked for, and of no others", () => {
  const verdicts = new FilterVerdicts((number) => rows[number] as IndexFields);
  const numbersOf = (category: string): Uint32Array =>
    Uint32Array.from(rows.keys()).filter((number) => rows[number]?.["category"] === category);
  const facts = numbersOf("fact");
  expect(verdicts.of(procedures, rows.length).failsAll(facts)).toBe(false);
  for (const number of facts.subarray(1)) verdicts.of(procedures, rows.length).passes(number);
  expect(verdicts.of(procedures, rows.length).failsAll(facts)).toBe(false);
  verdicts.of(procedures, rows.length).passes(facts[0] as number);
  expect(verdicts.of(procedures, rows.length).failsAll(facts)).toBe(true);
  expect(verdicts.of({ not: procedures }, rows.length).failsAll(facts)).toBe(false);
  for (const number of numbersOf("procedure")) verdicts.of(procedures, rows.length).passes(number);
  expect(verdicts.of(procedures, rows.length).failsAll(Uint32Array.of(...facts, 0))).toBe(false);
  // It came later, and nobody has asked for it.
  expect(verdicts.of(procedures, rows.length + 1).failsAll(Uint32Array.of(rows.length))).toBe(false);
});
