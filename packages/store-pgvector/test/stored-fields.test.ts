import type { Filter, FilterField } from "@loci/domain";
import { type IndexFields, matchesFilter } from "@loci/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedFields } from "../src/stored-fields.ts";
import { acme, alice, axis, main, row, spaceOf } from "./samples.ts";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

const usual: IndexFields = {
  category: "fact",
  tags: [],
  confidence: 1,
  isStatic: false,
  origin: "manual",
  trust: "trusted",
};

test("what is usual of a memory takes no room", () => {
  expect(storedFields({ ...usual, createdAt: 1_790_000_000_000, importance: 0.7 })).toEqual([1_790_000_000_000, 0.7]);
  expect(storedFields({ ...usual, category: "note", trust: "untrusted" })).toEqual([
    null,
    null,
    "note",
    null,
    null,
    null,
    null,
    "untrusted",
  ]);
  expect(storedFields({ ...usual, "metadata.area": "billing" }).at(-1)).toEqual({ ".area": "billing" });
});

const values = {
  category: fc.constantFrom("fact", "note", "procedure"),
  tags: fc.constantFrom<readonly string[]>([], ["a"], ["a", "fact"]),
  confidence: fc.constantFrom(1, 0.5),
  isStatic: fc.boolean(),
  origin: fc.constantFrom("manual", "import"),
  trust: fc.constantFrom("trusted", "untrusted"),
  slot: fc.constantFrom("a", "fact"),
  createdAt: fc.constantFrom(0, 1_790_000_000_000),
  importance: fc.constantFrom(0, 1),
  "metadata.area": fc.constantFrom("a", "b"),
  "metadata..area": fc.constantFrom("a", "b"),
  ".area": fc.constantFrom("a", "b"),
  "=.area": fc.constantFrom("a", "b"),
};
/** Fields of other names are in rows only to be taken for none that a filter may ask. */
const names = (Object.keys(values) as readonly FilterField[]).filter((name) => /^(?:\w+|metadata\.\w+)$/u.test(name));
const filters: readonly Filter[] = names.flatMap((field): readonly Filter[] => [
  ...["fact", "a", "manual", "trusted", 1, 0, false].flatMap((value): readonly Filter[] => [
    { field, operator: "equals", value },
    { field, operator: "notEquals", value },
  ]),
  { field, operator: "notIn", value: [] },
  { field, operator: "notIn", value: ["fact", "b"] },
  { field, operator: "in", value: ["fact", "trusted"] },
  { field, operator: "atMost", value: 1 },
  { field, operator: "atLeast", value: "b" },
  { field, operator: "contains", value: "a" },
]);

test("every filter finds the rows whose fields it matches, whatever is usual, missing or named alike", async () => {
  const { store, destroy } = await server.open({ maxConnections: 1 });
  const rows = fc
    .sample(fc.record(values, { requiredKeys: [] }), { numRuns: 60, seed: 3 })
    .map((fields, number) => row(number + 1, { fields }));
  const collection = await store.vectorStore.openCollection(main, spaceOf(8));
  for (const index of [collection, store.textIndex]) await index.apply(acme, rows, 60);
  const search = { tenant: acme, scopes: [alice], limit: 100 } as const;
  for (const where of filters) {
    const expected = rows.filter(({ fields }) => matchesFilter(where, fields)).map(({ ref }) => ref);
    const near = await collection.search({ ...search, where, vectors: [axis(0, 8)] });
    const worded = await store.textIndex.search({ ...search, where, terms: ["word"] });
    for (const hits of [near, worded])
      expect({ where, found: hits.map(({ ref }) => ref).toSorted() }).toEqual({ where, found: expected });
  }
  await destroy();
});
