import { ok } from "node:assert/strict";
import { type Filter, type FilterField, type FilterOperator, filterOperators, type FilterValue } from "@loci/domain";
import fc from "fast-check";
import type { IndexFields } from "../index-change.ts";
import { matchesFilter } from "../matches-filter.ts";
import { apply, expectFound, expectRefusal, type IndexContext } from "./index-context.ts";
import { refNumber, sampleRow, sampleRows } from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";

type Comparand = FilterValue | readonly FilterValue[];

const samples: readonly IndexFields[] = [
  { category: "fact", importance: 0.5, isStatic: false, tags: ["deploy", "ops"], "metadata.mixed": 1 },
  { category: "decision", importance: 0.9, isStatic: true, tags: [], "metadata.mixed": "1" },
  { category: "Fact", importance: -1, createdAt: 1_750_000_000_123, tags: ["op"], "metadata.mixed": true },
  { category: "fact ", importance: 0, slot: "deploy day", tags: ["Deploy", "deploy,ops"], "metadata.mixed": 0 },
  {},
];

/** For each operator filters of which each must find some rows and leave out others. */
const canaries: Readonly<Record<FilterOperator, readonly (readonly [FilterField, Comparand])[]>> = {
  equals: [
    ["category", "fact"],
    ["importance", 0],
    ["isStatic", false],
    ["metadata.mixed", 1],
    ["metadata.mixed", "1"],
  ],
  notEquals: [
    ["category", "fact"],
    ["importance", 0],
    ["isStatic", true],
    ["metadata.mixed", 1],
  ],
  in: [
    ["category", ["fact", "decision"]],
    ["importance", [0.5, 7]],
    ["metadata.mixed", ["1", 0]],
  ],
  notIn: [
    ["category", ["fact", "decision"]],
    ["importance", [0.5, 7]],
    ["createdAt", []],
  ],
  lessThan: [
    ["importance", 0.5],
    ["category", "fact"],
    ["metadata.mixed", 1],
  ],
  atMost: [
    ["importance", 0.5],
    ["category", "decision"],
    ["metadata.mixed", "1"],
  ],
  greaterThan: [
    ["importance", 0],
    ["category", "decision"],
    ["createdAt", 1_750_000_000_122],
  ],
  atLeast: [
    ["importance", 0.5],
    ["category", "fact"],
    ["createdAt", 1_750_000_000_123],
  ],
  contains: [
    ["tags", "ops"],
    ["tags", "op"],
    ["tags", "deploy"],
    ["tags", "deploy,ops"],
  ],
};

const hostileTexts: readonly string[] = [
  "x' OR 1=1 --",
  "x'; DROP TABLE memories; --",
  '"',
  "'",
  "`",
  "\\",
  "\\'",
  "a_c",
  "abc",
  "a%",
  "%",
  "*",
  "${x}",
  "{}",
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "true",
  "1",
  "",
  " ",
  "\u00E9",
  "e\u0301",
  "\u2028",
  "\u{1F600}",
  "\n",
  "x".repeat(5_000),
];

const hostileFields: readonly string[] = [
  "__proto__",
  "constructor",
  "tenant",
  "scope",
  "ref",
  "1=1 OR category",
  'category" = "fact" OR "1',
  "category`",
  "metadata",
  "metadata.",
  "metadata.__proto__",
  "metadata.x' OR 1=1 --",
  "metadata.a.b",
  `metadata.${"x".repeat(65)}`,
];

const one: Filter = { field: "category", operator: "equals", value: "fact" };

const invalidFilters: readonly unknown[] = [
  { field: "importance", operator: "equals", value: Number.NaN },
  { field: "importance", operator: "lessThan", value: Infinity },
  { field: "importance", operator: "equals", value: { $gt: 0 } },
  { field: "category", operator: "equals", value: "\uD800" },
  { field: "category", operator: "equals", value: ["fact"] },
  { field: "category", operator: "in", value: "fact" },
  { field: "category", operator: "like", value: "fact" },
  { field: "category", operator: "__proto__", value: "fact" },
  { and: [] },
  { or: "fact" },
  { not: null },
  null,
  "category = 'fact'",
  Array.from({ length: 20 }).reduce<Filter>((inner) => ({ not: inner }), one),
  { or: Array.from({ length: 257 }, () => one) },
];

/** `where` means what `matchesFilter` says, and nothing in it can act as an operator. */
export const filterCases: CaseFile<"search", IndexContext> = {
  covers: ["search"],
  cases: [
    ...filterOperators.map((operator) => ({
      method: "search" as const,
      name: `filters with ${operator}, or says that it cannot`,
      run: async (context: IndexContext) => {
        await apply(
          context,
          samples.map((fields, index) => sampleRow(index + 1, { fields })),
        );
        for (const [field, value] of canaries[operator]) {
          const where: Filter = { field, operator, value };
          if (context.filterOperators.includes(operator)) await expectMatches(context, samples, where);
          else await expectRefusal(() => context.find({ where }), "UNSUPPORTED_OPERATION");
        }
      },
    })),
    {
      method: "search",
      name: "combines comparisons with and, or and not",
      run: async (context) => {
        await apply(
          context,
          samples.map((fields, index) => sampleRow(index + 1, { fields })),
        );
        const [operator = "equals"] = context.filterOperators;
        const [first = ["category", "fact"], second = first] = canaries[operator];
        const left: Filter = { field: first[0], operator, value: first[1] };
        const right: Filter = { field: second[0], operator, value: second[1] };
        for (const where of [{ not: left }, { or: [left, right] }, { and: [{ not: left }, { not: right }] }])
          await expectMatches(context, samples, where);
        await expectFound(context, { where: { and: [left, { not: left }] } }, []);
        await expectFound(context, { where: { or: [left, { not: left }] } }, sampleRows(samples.length));
        await expectMatches(context, samples, left);
        // Nothing of a filter is left for the search that comes after it.
        await expectFound(context, {}, sampleRows(samples.length));
      },
    },
    {
      method: "search",
      name: "agrees with matchesFilter on random rows and filters",
      run: async (context) => {
        const rows = randomRows();
        await apply(
          context,
          rows.map((fields, index) => sampleRow(index + 1, { fields })),
        );
        await fc.assert(
          fc.asyncProperty(filterArbitrary(context.filterOperators), async (where) => {
            const expected = rows.flatMap((fields, index) =>
              matchesFilter(where, fields) ? [sampleRow(index + 1)] : [],
            );
            await expectFound(context, { where }, expected);
          }),
          { seed: 1, numRuns: 150 },
        );
      },
    },
    {
      method: "search",
      name: "takes hostile texts in values as the texts they are",
      run: async (context) => {
        const rows = hostileTexts.map((text): IndexFields => ({ "metadata.word": text, tags: [text, "all"] }));
        await apply(
          context,
          rows.map((fields, index) => sampleRow(index + 1, { fields })),
        );
        for (const [index, value] of hostileTexts.entries()) {
          const expected = [{ ref: refNumber(index + 1), version: 1 }];
          if (context.filterOperators.includes("equals"))
            await expectFound(context, { where: { field: "metadata.word", operator: "equals", value } }, expected);
          if (context.filterOperators.includes("in"))
            await expectFound(context, { where: { field: "metadata.word", operator: "in", value: [value] } }, expected);
          if (context.filterOperators.includes("contains"))
            await expectFound(context, { where: { field: "tags", operator: "contains", value } }, expected);
        }
        if (context.filterOperators.includes("contains"))
          await expectFound(
            context,
            { where: { field: "tags", operator: "contains", value: "all" } },
            sampleRows(hostileTexts.length),
          );
      },
    },
    {
      method: "search",
      name: "refuses fields that nobody can filter by",
      run: async (context) => {
        await apply(context, [sampleRow(1, { fields: { category: "fact" } })]);
        for (const field of hostileFields) {
          const where: Filter = { field: field as FilterField, operator: "equals", value: "fact" };
          await expectRefusal(() => context.find({ where }), "INVALID_FILTER");
          await expectRefusal(() => context.find({ where: { or: [one, { not: where }] } }), "INVALID_FILTER");
        }
      },
    },
    {
      method: "search",
      name: "refuses what is no filter",
      run: async (context) => {
        await apply(context, [sampleRow(1, { fields: { category: "fact" } })]);
        for (const where of invalidFilters)
          await expectRefusal(() => context.find({ where: where as Filter }), "INVALID_FILTER");
      },
    },
  ],
};

async function expectMatches(context: IndexContext, rows: readonly IndexFields[], where: Filter): Promise<void> {
  const expected = rows.flatMap((fields, index) => (matchesFilter(where, fields) ? [sampleRow(index + 1)] : []));
  ok(expected.length > 0, `no canary matches ${JSON.stringify(where)}`);
  ok(expected.length < rows.length, `every canary matches ${JSON.stringify(where)}`);
  await expectFound(context, { where }, expected);
}

const words = ["a", "b", "B", "ab", "\u00E9", "\u{1F600}", "\uFF5E"];
const value = fc.oneof(
  fc.constantFrom(...words),
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.boolean(),
);

function randomRows(): readonly IndexFields[] {
  const text = fc.constantFrom(...words);
  const row = fc.record(
    {
      category: text,
      importance: fc.integer({ min: -2, max: 2 }),
      isStatic: fc.boolean(),
      tags: fc.uniqueArray(text, { maxLength: 3 }),
      "metadata.x": value,
    },
    { requiredKeys: [] },
  );
  return fc.sample(row, { seed: 1, numRuns: 40 });
}

function filterArbitrary(operators: readonly FilterOperator[]): fc.Arbitrary<Filter> {
  const field = fc.constantFrom<FilterField[]>(
    "category",
    "importance",
    "isStatic",
    "tags",
    "metadata.x",
    "metadata.none",
  );
  const comparison = fc
    .tuple(field, fc.constantFrom(...operators), fc.array(value, { minLength: 1, maxLength: 3 }))
    .map(([field, operator, values]): Filter => {
      const isList = operator === "in" || operator === "notIn";
      return { field, operator, value: isList ? values : (values[0] as FilterValue) };
    });
  return fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      comparison,
      fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((and): Filter => ({ and })),
      fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((or): Filter => ({ or })),
      tie("filter").map((not): Filter => ({ not })),
    ),
  })).filter;
}
