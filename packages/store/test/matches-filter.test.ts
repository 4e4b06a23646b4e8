import {
  checkFilter,
  type Filter,
  type FilterField,
  type FilterOperator,
  filterOperators,
  type FilterValue,
} from "@loci/domain";
import { matchesFilter, type IndexFields } from "@loci/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const fields: IndexFields = {
  category: "fact",
  importance: 0.5,
  isStatic: false,
  tags: ["deploy", "ops"],
  "metadata.count": 3,
  "metadata.word": "b",
};

const matching: Record<FilterOperator, readonly [FilterField, FilterValue | readonly FilterValue[]]> = {
  equals: ["category", "fact"],
  notEquals: ["category", "decision"],
  in: ["metadata.count", [1, 3]],
  notIn: ["metadata.count", [1, 2]],
  lessThan: ["importance", 0.6],
  atMost: ["importance", 0.5],
  greaterThan: ["metadata.word", "a"],
  atLeast: ["metadata.word", "b"],
  contains: ["tags", "ops"],
};

const notMatching: typeof matching = {
  equals: ["category", "Fact"],
  notEquals: ["category", "fact"],
  in: ["metadata.count", ["3", 4]],
  notIn: ["metadata.count", [3, 4]],
  lessThan: ["importance", 0.5],
  atMost: ["importance", 0.49],
  greaterThan: ["metadata.word", "b"],
  atLeast: ["metadata.word", "c"],
  contains: ["tags", "op"],
};

describe.each(filterOperators)("%s", (operator) => {
  test("tells rows apart", () => {
    const [field, value] = matching[operator];
    const [otherField, otherValue] = notMatching[operator];
    expect(matchesFilter({ field, operator, value }, fields)).toBe(true);
    expect(matchesFilter({ field: otherField, operator, value: otherValue }, fields)).toBe(false);
  });

  test("fails for a missing field, and so does its negation match", () => {
    const comparison = { field: "metadata.absent" as const, operator, value: matching[operator][1] };
    expect(matchesFilter(comparison, fields)).toBe(false);
    expect(matchesFilter({ not: comparison }, fields)).toBe(true);
  });

  test("fails for a value of another type", () => {
    const wrapped = (value: FilterValue): FilterValue | readonly FilterValue[] =>
      operator === "in" || operator === "notIn" ? [value] : value;
    expect(matchesFilter({ field: "metadata.count", operator, value: wrapped("3") }, fields)).toBe(false);
    expect(matchesFilter({ field: "metadata.word", operator, value: wrapped(1) }, fields)).toBe(false);
    expect(matchesFilter({ field: "isStatic", operator, value: wrapped(0) }, fields)).toBe(false);
  });
});

test.each(["lessThan", "atMost", "greaterThan", "atLeast"] as const)("booleans have no order: %s", (operator) => {
  for (const value of [true, false]) expect(matchesFilter({ field: "isStatic", operator, value }, fields)).toBe(false);
});

test("text is ordered by code units", () => {
  // U+FF5E comes before U+1F600 by code point, and after its surrogates by code unit.
  const row: IndexFields = { "metadata.word": "\u{1F600}" };
  expect(matchesFilter({ field: "metadata.word", operator: "lessThan", value: "\uFF5E" }, row)).toBe(true);
  expect(matchesFilter({ field: "metadata.word", operator: "greaterThan", value: "Z" }, row)).toBe(true);
});

test("only contains asks a field with many values", () => {
  for (const operator of filterOperators) {
    const value = operator === "in" || operator === "notIn" ? ["ops"] : "ops";
    expect(matchesFilter({ field: "tags", operator, value }, fields)).toBe(operator === "contains");
  }
});

test("and, or and not nest", () => {
  const fact: Filter = { field: "category", operator: "equals", value: "fact" };
  const decision: Filter = { field: "category", operator: "equals", value: "decision" };
  expect(matchesFilter({ and: [fact, { not: decision }] }, fields)).toBe(true);
  expect(matchesFilter({ and: [fact, decision] }, fields)).toBe(false);
  expect(matchesFilter({ or: [decision, fact] }, fields)).toBe(true);
  expect(matchesFilter({ or: [decision, { not: fact }] }, fields)).toBe(false);
});

test("names of object members are not fields", () => {
  for (const name of ["constructor", "hasOwnProperty", "toString"]) {
    const filter: Filter = { field: `metadata.${name}`, operator: "notEquals", value: "x" };
    expect(matchesFilter(checkFilter(filter), fields)).toBe(false);
  }
  const planted = Object.create({ category: "fact" }) as IndexFields;
  expect(matchesFilter({ field: "category", operator: "equals", value: "fact" }, planted)).toBe(false);
});

const scalar = fc.oneof(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 2 }), fc.boolean());

test("a list is looked up in: a row takes no longer than its comparisons, however long their lists are", () => {
  const value = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
  const reads = { count: 0 };
  const counted = new Proxy(value, {
    get: (list, name) => {
      reads.count++;
      return Reflect.get(list, name) as unknown;
    },
  });
  const filter: Filter = {
    or: [
      { field: "category", operator: "in", value: counted },
      { not: { field: "category", operator: "notIn", value: counted } },
    ],
  };
  for (let row = 0; row < 100; row++) expect(matchesFilter(filter, fields)).toBe(false);
  expect(reads.count).toBeLessThan(100 * value.length);
});

test("a filter that was checked stays as it was", () => {
  const value = ["fact", "a", "b", "c", "d", "e", "f", "g", "h"];
  const checked = checkFilter({ and: [{ field: "category", operator: "in", value }] });
  expect(matchesFilter(checked, fields)).toBe(true);
  value[0] = "decision";
  expect(matchesFilter(checked, fields)).toBe(true);
  expect(matchesFilter(checkFilter({ and: [{ field: "category", operator: "in", value }] }), fields)).toBe(false);
});

test("in is the or of equals, notIn the and of notEquals", () => {
  fc.assert(
    fc.property(
      fc.option(scalar, { nil: undefined }),
      fc.array(scalar, { minLength: 1, maxLength: 12 }),
      (actual, values) => {
        const row: IndexFields = actual === undefined ? {} : { "metadata.x": actual };
        const each = (operator: FilterOperator): Filter[] =>
          values.map((value) => ({ field: "metadata.x", operator, value }));
        const list = (operator: FilterOperator): Filter => ({ field: "metadata.x", operator, value: values });
        expect(matchesFilter(list("in"), row)).toBe(matchesFilter({ or: each("equals") }, row));
        expect(matchesFilter(list("notIn"), row)).toBe(matchesFilter({ and: each("notEquals") }, row));
      },
    ),
    { seed: 1 },
  );
});

test("a value is below, equal to or above another of its type, and nothing to one of another type", () => {
  fc.assert(
    fc.property(scalar, scalar, (actual, value) => {
      const row: IndexFields = { "metadata.x": actual };
      const holds = (operator: FilterOperator): boolean => matchesFilter({ field: "metadata.x", operator, value }, row);
      const sameType = typeof actual === typeof value;
      const ordered = sameType && typeof actual !== "boolean";
      expect(holds("equals") || holds("notEquals")).toBe(sameType);
      expect([holds("lessThan"), holds("equals"), holds("greaterThan")].filter(Boolean).length).toBe(
        ordered || actual === value ? 1 : 0,
      );
      expect(holds("atMost")).toBe(ordered && !holds("greaterThan"));
      expect(holds("atLeast")).toBe(ordered && !holds("lessThan"));
    }),
    { seed: 1 },
  );
});
