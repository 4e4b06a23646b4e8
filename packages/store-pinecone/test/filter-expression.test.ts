import { checkFilter, type Filter, filterFields, filterOperators } from "@loci/domain";
import { matchesMetadata } from "@loci/pinecone-emulator";
import { matchesFilter } from "@loci/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { filterExpression } from "../src/filter-expression.ts";
import { recordsOf } from "../src/records.ts";

const text = fc.constantFrom("fact", "note", "1", "", "$or", "x' OR 1=1 --", "\u00E9");
const value = fc.oneof(text, fc.constantFrom(0, 1, -1.5, 1e12), fc.boolean());
const field = fc.constantFrom(...filterFields, "metadata.a", "metadata.constructor", "metadata.__proto__");
const comparison = fc
  .record({ field, operator: fc.constantFrom(...filterOperators), value, list: fc.array(value, { maxLength: 3 }) })
  .map(({ field, operator, value, list }): Filter => {
    const isList = operator === "in" || operator === "notIn";
    return { field: field as "category", operator, value: isList ? list : value };
  })
  .filter((filter) => {
    try {
      checkFilter(filter);
      return true;
    } catch {
      return false;
    }
  });
const filters = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((and): Filter => ({ and })),
    fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((or): Filter => ({ or })),
    tie("filter").map((not): Filter => ({ not })),
  ),
})).filter;
const fields = fc.dictionary(
  field.filter((name) => !name.includes("__proto__")),
  fc.oneof(value, fc.array(text, { maxLength: 3 })),
);

test("an expression keeps every row that its filter selects", () => {
  fc.assert(
    fc.property(filters, fields, (filter, fields) => {
      const expression = filterExpression(filter);
      const vectors = [Float32Array.of(1)];
      const row = {
        type: "upsert",
        ref: "r",
        version: 1,
        scope: { kind: "global" },
        fields,
        vectors,
        terms: new Map(),
      };
      const [record] = recordsOf(row as never, 1);
      const isKept = expression === undefined || matchesMetadata(expression, record?.metadata ?? {});
      expect(isKept || !matchesFilter(filter, fields)).toBe(true);
    }),
    { seed: 1, numRuns: 3_000 },
  );
});

test("what Pinecone can compare is compared there", () => {
  const filter: Filter = {
    and: [
      { field: "category", operator: "equals", value: "fact" },
      { field: "createdAt", operator: "atLeast", value: 5 },
      { field: "tags", operator: "contains", value: "x" },
    ],
  };
  const expression = filterExpression(filter) ?? {};
  expect(matchesMetadata(expression, { f_category: "fact", f_createdAt: 5, f_tags: ["x"] })).toBe(true);
  expect(matchesMetadata(expression, { f_category: "note", f_createdAt: 5, f_tags: ["x"] })).toBe(false);
  expect(matchesMetadata(expression, { f_category: "fact", f_createdAt: 4, f_tags: ["x"] })).toBe(false);
  expect(matchesMetadata(expression, { f_category: "fact", f_createdAt: 5, f_tags: ["y"] })).toBe(false);
});
