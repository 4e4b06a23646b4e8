import { type Filter, memoryId, type MemoryRecord } from "@loci/domain";
import { matchesFilter } from "@loci/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DeclaredMetadata } from "../src/projections/declared-metadata.ts";

const declared = new DeclaredMetadata({ area: "string", priority: "number" });
const values = fc.constantFrom("fact", "manual", "work", "go", "slot", true, false, 0.5, 1, 7);

const memories: fc.Arbitrary<MemoryRecord> = fc.record({
  id: fc.constant(memoryId("01900000-0000-7000-8000-000000000001")),
  text: fc.constant("text"),
  category: fc.constantFrom("fact", "procedure"),
  scope: fc.constant({ kind: "global" } as const),
  importance: fc.constantFrom(0.5, 1),
  confidence: fc.constantFrom(0.5, 1),
  isStatic: fc.boolean(),
  tags: fc.subarray(["go", "work"]),
  slot: fc.constantFrom(undefined, "slot"),
  origin: fc.constant("manual" as const),
  trust: fc.constant("trusted" as const),
  // One that is declared with another type, and one that is not declared.
  metadata: fc.dictionary(fc.constantFrom("area", "priority", "other"), values, { maxKeys: 3 }),
  createdAt: fc.constantFrom(1, 7),
  updatedAt: fc.constant(7),
  version: fc.constant(1),
  state: fc.constant("active" as const),
});

const fields = fc.constantFrom(
  "category",
  "origin",
  "trust",
  "isStatic",
  "importance",
  "confidence",
  "createdAt",
  "tags",
  "slot",
  "metadata.area",
  "metadata.priority",
  "metadata.other",
  "metadata.none",
  "none",
  "constructor",
);
const { filter: filters } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      field: fields,
      operator: fc.constantFrom("equals" as const, "notEquals" as const, "atMost" as const, "contains" as const),
      value: values,
    }) as fc.Arbitrary<Filter>,
    fc.record({ not: tie("filter") }),
    fc.record({ and: fc.array(tie("filter"), { maxLength: 2 }) }) as fc.Arbitrary<Filter>,
    fc.record({ or: fc.array(tie("filter"), { maxLength: 2 }) }) as fc.Arbitrary<Filter>,
  ),
}));

test("a memory matches a filter exactly when the fields that indexes hold of it do", () => {
  let matching = 0;
  fc.assert(
    fc.property(memories, filters, (memory, filter) => {
      const expected = matchesFilter(filter, declared.indexFieldsOf(memory));
      if (expected) matching++;
      expect(declared.matches(filter, memory)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
  expect(matching).toBeGreaterThan(200);
});
