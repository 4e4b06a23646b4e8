import type { Filter, NonEmpty, Scope } from "@loci/domain";
import { tenantId } from "@loci/domain";
import { collectionId, type TextHit, type VectorHit } from "@loci/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestStore } from "./embedded-fixture.ts";
import { changeArbitrary, scopes, space, unitVectorArbitrary } from "./history-arbitraries.ts";

const tenant = tenantId("together");
const filters: readonly (Filter | undefined)[] = [
  undefined,
  { field: "category", operator: "equals", value: "fact" },
  { not: { field: "category", operator: "equals", value: "fact" } },
  // Nothing has it, and everything passes its opposite.
  { field: "category", operator: "equals", value: "procedure" },
  { not: { field: "category", operator: "equals", value: "procedure" } },
  {
    or: [
      { field: "category", operator: "equals", value: "note" },
      { not: { field: "slot", operator: "equals", value: "x" } },
    ],
  },
  {
    and: [
      { field: "category", operator: "in", value: ["fact", "note"] },
      { field: "metadata.none", operator: "equals", value: 1 },
    ],
  },
];

test("searches by nearness that are asked for together share a pass, and find what each finds alone", async () => {
  const store = await openTestStore({ maxHeadRows: 30 });
  const collection = await store.vectorStore.openCollection(collectionId("main"), space);
  const history = fc.sample(changeArbitrary, { seed: 11, numRuns: 100 });
  for (let start = 0; start < history.length; start += 20)
    await collection.apply(tenant, history.slice(start, start + 20), start + 20);
  const vectors = fc.sample(unitVectorArbitrary, { seed: 3, numRuns: 6 }) as unknown as NonEmpty<Float32Array>;
  const all = scopes as unknown as NonEmpty<Scope>;
  const search = (where: Filter | undefined, limit: number): Promise<readonly VectorHit[]> =>
    collection.search({ tenant, scopes: all, vectors, where, limit });
  const alone: (readonly VectorHit[])[] = [];
  for (const [place, where] of filters.entries()) alone.push(await search(where, 2 + place));
  const together = await Promise.all(filters.map((where, place) => search(where, 2 + place)));
  expect(together).toEqual(alone);
  expect(alone.some((hits) => hits.length === 0)).toBe(true);
  expect(alone.filter((hits) => hits.length > 0).length).toBeGreaterThan(3);

  // One of them gives up; the others are answered.
  const controller = new AbortController();
  const given = collection.search({ tenant, scopes: all, vectors, limit: 3 }, { signal: controller.signal });
  const kept = search(undefined, 2);
  controller.abort();
  await expect(given).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(await kept).toEqual(alone[0]);
  await store.destroy();
});

test("searches by words that are asked for together share a pass, and find what each finds alone", async () => {
  const store = await openTestStore({ maxHeadRows: 30 });
  const index = store.textIndex;
  const history = fc.sample(changeArbitrary, { seed: 11, numRuns: 100 });
  const terms = [
    ...new Set(history.flatMap((change) => (change.type === "upsert" ? [...change.terms.keys()] : []))),
  ].slice(0, 4) as unknown as NonEmpty<string>;
  const all = scopes as unknown as NonEmpty<Scope>;
  const search = (where: Filter | undefined, limit: number): Promise<readonly TextHit[]> =>
    index.search({ tenant, scopes: all, terms, where, limit });
  for (let start = 0; start < history.length; start += 20) {
    await index.apply(tenant, history.slice(start, start + 20), start + 20);
    const alone: (readonly TextHit[])[] = [];
    for (const [place, where] of filters.entries()) alone.push(await search(where, 2 + place));
    expect(await Promise.all(filters.map((where, place) => search(where, 2 + place)))).toEqual(alone);
    expect(alone.filter((hits) => hits.length > 0).length).toBeGreaterThan(3);
  }

  // What is ranked by other numbers, or asks for other words, is a pass of its own.
  const statistics = { documents: 9, totalLength: 90, documentFrequencies: terms.map((_, place) => 8 - 2 * place) };
  const others = [
    { tenant, scopes: all, terms, limit: 3, statistics },
    { tenant, scopes: all, terms: terms.toReversed() as unknown as NonEmpty<string>, limit: 3 },
  ];
  const expected: (readonly TextHit[])[] = [await search(undefined, 3)];
  for (const other of others) expected.push(await index.search(other));
  expect(await Promise.all([search(undefined, 3), ...others.map((other) => index.search(other))])).toEqual(expected);

  // One of them gives up; the others are answered.
  const controller = new AbortController();
  const given = index.search({ tenant, scopes: all, terms, limit: 3 }, { signal: controller.signal });
  const kept = search(undefined, 3);
  controller.abort();
  await expect(given).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(await kept).toEqual(expected[0]);
  await store.destroy();
});
