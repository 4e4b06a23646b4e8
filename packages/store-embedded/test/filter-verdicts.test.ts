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
  const verdicts = new FilterVerdicts();
  for (const known of [10, 40, 40])
    for (const filter of filters) {
      const passes = verdicts.testOf(filter, known);
      const some = rows.slice(0, known);
      expect(some.map((fields, number) => passes(number, fields))).toEqual(
        some.map((fields) => matchesFilter(filter, fields)),
      );
    }
});

test("a row is compared once, until rows are numbered anew", () => {
  const verdicts = new FilterVerdicts();
  expect(verdicts.testOf(procedures, 1)(0, { category: "procedure" })).toBe(true);
  expect(verdicts.testOf({ ...procedures }, 1)(0, { category: "fact" })).toBe(true);
  verdicts.clear();
  expect(verdicts.testOf(procedures, 1)(0, { category: "fact" })).toBe(false);
});
