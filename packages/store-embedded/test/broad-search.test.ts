import { memoryId, type NonEmpty, type Scope, tenantId } from "@loci/domain";
import { collectionId, type IndexUpsert, type VectorCollection, type VectorHit } from "@loci/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEmbeddedStore } from "../src/index.ts";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";

const tenant = tenantId("broad");
const main = collectionId("main");
const dimensions = 96;
const space = { provider: "test", model: "broad", dimensions, version: "1" };
const count = 20_000;
const scopes: NonEmpty<Scope> = [
  { kind: "user", id: "a" },
  { kind: "user", id: "b" },
];

/** The same numbers in every run. */
let state = 7;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32 - 0.5;
}

/** A mean common to all, one of 40 topics, and something of its own. */
const centres = Array.from({ length: 41 }, () => Float32Array.from({ length: dimensions }, random));
function vectorOf(topic: number): Float32Array {
  const [mean, centre] = [centres[40]!, centres[topic]!];
  const values = Float32Array.from({ length: dimensions }, (_, at) => mean[at]! + centre[at]! + 0.8 * random());
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const rows = Array.from({ length: count }, (_, index): IndexUpsert => ({
  type: "upsert",
  ref: memoryId(`00000000-0000-7000-8000-${index.toString(16).padStart(12, "0")}`),
  version: 1,
  scope: scopes[index % 2] as Scope,
  fields: { category: index % 1_000 === 1 ? "rare" : index % 3 === 0 ? "fact" : "note" },
  vectors: [vectorOf(index % 40)],
  terms: new Map(),
}));
const queries = Array.from({ length: 20 }, (_, index) => vectorOf(index));

let exact: TestStore;
let bySigns: TestStore;
let exactCollection: VectorCollection;
let collection: VectorCollection;
beforeAll(async () => {
  exact = await openTestStore({ exactRows: Infinity });
  exactCollection = await exact.vectorStore.openCollection(main, space);
  for (let start = 0; start < count; start += 2_000)
    await exactCollection.apply(tenant, rows.slice(start, start + 2_000), start + 2_000);
  await exactCollection.maintain();
  const { directory, record } = exact;
  await exact.close();
  // The same files for both: the one way of searching is compared with the other.
  exact = await openTestStore({ directory, record, exactRows: Infinity });
  bySigns = await openTestStore({ directory, record, exactRows: 1_000 });
  exactCollection = await exact.vectorStore.openCollection(main, space);
  collection = await bySigns.vectorStore.openCollection(main, space);
});
afterAll(async () => {
  await exact.close();
  await bySigns.destroy();
});

test("among very many rows at least 99% of the best are found, with exact cosines", async () => {
  let found = 0;
  for (const query of queries) {
    const request = { tenant, scopes, vectors: [query] as const, limit: 10 };
    const best = await exactCollection.search(request);
    const hits = new Map((await collection.search(request)).map((hit) => [hit.ref, hit]));
    for (const hit of best) {
      const same = hits.get(hit.ref);
      if (same === undefined) continue;
      found++;
      expect(same).toEqual(hit);
    }
  }
  expect(found).toBeGreaterThanOrEqual(0.99 * 10 * queries.length);
});

test.each([2, 4, 5, 9, 10, 14])("%i queries at once find what each of them finds alone", async (asked) => {
  const vectors = queries.slice(0, asked) as unknown as NonEmpty<Float32Array>;
  for (const [limit, where] of [
    [7, undefined],
    [60, { field: "category", operator: "equals", value: "fact" }],
    // More than there are: no row is ever too far.
    [count, { field: "category", operator: "equals", value: "rare" }],
  ] as const)
    for (const bounds of [true, false]) {
      const request = { tenant, scopes, limit, where, bounds };
      const together = new Map((await exactCollection.search({ ...request, vectors })).map((hit) => [hit.ref, hit]));
      const all = new Set<string>();
      for (const [place, vector] of vectors.entries()) {
        const alone = await exactCollection.search({ ...request, vectors: [vector] });
        expect(alone.length).toBeGreaterThan(0);
        for (const { ref, cosines } of alone) {
          all.add(ref);
          expect(together.get(ref)?.cosines[place]).toBe(cosines[0]);
        }
      }
      expect(new Set(together.keys())).toEqual(all);
    }
});

test("a filter and deleted rows are heeded before rows are chosen", async () => {
  const where = { field: "category", operator: "equals", value: "fact" } as const;
  const request = { tenant, scopes, vectors: [queries[0]!] as const, limit: 25, where };
  const best = await exactCollection.search(request);
  const refs = (hits: readonly VectorHit[]): readonly string[] => hits.map(({ ref }) => ref);
  expect(refs(await collection.search(request))).toEqual(refs(best));
  const gone = best.slice(0, 5).map(({ ref }) => ({ type: "delete", ref, version: 2 }) as const);
  await collection.apply(tenant, gone, count + 5);
  const left = await collection.search(request);
  expect(left.length).toBe(25);
  expect(refs(left).slice(0, 20)).toEqual(refs(best).slice(5));
});

test("rows whose vectors the ledger knows no more are passed over, and others take their places", async () => {
  const request = { tenant, scopes, vectors: [queries[1]!, queries[2]!] as const, limit: 15 };
  const best = await exactCollection.search(request);
  const forgotten = new Set(best.slice(0, 12).map(({ ref }) => ref));
  const { directory, record } = exact;
  const store = await openEmbeddedStore({
    directory,
    exactRows: Infinity,
    exactVectors: async (asked) => record.read({ ...asked, rows: asked.rows.filter(({ ref }) => !forgotten.has(ref)) }),
  });
  const forgetful = await store.vectorStore.openCollection(main, space);
  const more = await exactCollection.search({ ...request, limit: 40 });
  for (const query of [0, 1]) {
    const expected = more
      .filter(({ ref }) => !forgotten.has(ref))
      .toSorted((left, right) => right.cosines[query]! - left.cosines[query]!)
      .slice(0, 15);
    const hits = new Map((await forgetful.search(request)).map((hit) => [hit.ref, hit]));
    for (const hit of expected) expect(hits.get(hit.ref)).toEqual(hit);
  }
  await store.close();
});

test("a long search lets others work, and ends at once when its signal aborts", async () => {
  const many = queries as unknown as NonEmpty<Float32Array>;
  const controller = new AbortController();
  const running = exactCollection.search({ tenant, scopes, vectors: many, limit: 10 }, { signal: controller.signal });
  controller.abort();
  await expect(running).rejects.toMatchObject({ reason: "CANCELLED" });
  // So many before it that its turn does not come in a millisecond.
  const before = Array.from({ length: 20 }, () => exactCollection.search({ tenant, scopes, vectors: many, limit: 10 }));
  const late = exactCollection.search({ tenant, scopes, vectors: many, limit: 10 }, { deadline: Date.now() + 1 });
  await expect(late).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });
  await Promise.all(before);
  expect((await exactCollection.search({ tenant, scopes, vectors: many, limit: 1 })).length).toBeGreaterThan(0);
});
