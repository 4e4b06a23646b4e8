import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { cosineOfUnitVectors } from "@loci/domain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestStore, type TestStore } from "./lance-fixture.ts";
import { acme, changeAt, mainCollection, refNumber, row, space, vectorNumber } from "./sample-changes.ts";

const scope = { kind: "user", id: "a" } as const;
let store: TestStore;
afterEach(() => store.destroy());

describe("a store", () => {
  beforeEach(async () => {
    store = await openTestStore();
  });

  test("leaves no byte of what was deleted or replaced in any file, once purged", async () => {
    const canary = "CanaryOfAnErasedMemory";
    const fields = { category: canary, tags: [canary], "metadata.place": canary };
    const terms = new Map([[canary.toLowerCase(), 2]]);
    const [secret, other] = [row(1, { scope, fields, terms }), row(2, { scope, terms: new Map([["other", 1]]) })];
    const collection = await store.vectorStore.openCollection(mainCollection, space);
    const projections = [collection, store.textIndex];
    for (const projection of projections) await projection.apply(acme, [secret, other, row(3, { scope, fields })], 3);
    for (const projection of projections) await projection.maintain();
    expect(await filesWith(canary)).not.toEqual([]);
    const changes = [{ type: "delete", ref: refNumber(1), version: 2 } as const, row(3, { scope, version: 2 })];
    for (const projection of projections) await projection.apply(acme, changes, 5);
    for (const projection of projections) await projection.maintain({ purge: true });
    expect(await filesWith(canary)).toEqual([]);
    const vectorBytes = Buffer.from(vectorNumber(1).buffer).toString("latin1");
    expect(await filesWith(vectorBytes.slice(0, 16))).toEqual([]);
    // What was left is still found, by indexes that are there again.
    const found = await collection.search({ tenant: acme, scopes: [scope], vectors: [vectorNumber(2)], limit: 5 });
    expect(found.map(({ ref }) => ref).toSorted((left, right) => (left < right ? -1 : 1))).toEqual([
      refNumber(2),
      refNumber(3),
    ]);
    const texts = await store.textIndex.search({ tenant: acme, scopes: [scope], terms: ["other"], limit: 5 });
    expect(texts.map(({ ref }) => ref)).toEqual([refNumber(2)]);
  });

  test("answers searches while it applies, compacts and removes old versions", async () => {
    const collection = await store.vectorStore.openCollection(mainCollection, space);
    const request = { tenant: acme, scopes: [scope], limit: 10 } as const;
    let [through, searches] = [0, 0];
    const done = new AbortController();
    const rows = Array.from({ length: 40 }, (_, number) => row(number, { scope }));
    for (const projection of [collection, store.textIndex]) await projection.apply(acme, rows, ++through);
    const searching = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const found = await collection.search({ ...request, vectors: [vectorNumber(7)] });
        expect(found[0]).toMatchObject({ ref: refNumber(7), version: 1 });
        expect(await store.textIndex.search({ ...request, terms: ["all"] })).toHaveLength(10);
        searches++;
      }
    };
    const running = [searching(), searching()];
    for (let round = 0; round < 100; round++) {
      const more = [row(1_000 + round, { scope, terms: new Map([["late", 1]]) })];
      for (const projection of [collection, store.textIndex]) await projection.apply(acme, more, ++through);
      for (const projection of [collection, store.textIndex]) await projection.maintain({ purge: round % 2 === 1 });
      // On a busy machine searches take their turns more slowly than writes.
      if (round >= 3 && searches > 5) break;
    }
    done.abort();
    await Promise.all(running);
    expect(searches).toBeGreaterThan(5);
    expect(store.problems).toEqual([]);
  });

  test("keeps few files and versions, however many writes there are", async () => {
    const { textIndex } = store;
    for (let sequence = 1; sequence <= 40; sequence++) await textIndex.apply(acme, [changeAt(sequence)], sequence);
    await textIndex.checkpoint(acme);
    const versions = await readdir(join(store.directory, "tables", "texts.lance", "_versions"));
    expect(versions.length).toBeLessThan(30);
    expect(store.problems).toEqual([]);
  });
});

test("with more vectors than are compared one by one: an index, exact cosines, and at least 98% of the best", async () => {
  const count = 3_001;
  store = await openTestStore({ exactRows: 1_000 });
  const collection = await store.vectorStore.openCollection(mainCollection, space);
  const vectors = Array.from({ length: count }, (_, number) => vectorNumber(number));
  const inScope = (number: number) => (number % 100 === 0 ? ({ kind: "user", id: "few" } as const) : scope);
  const rows = vectors.map((vector, number) => row(number, { scope: inScope(number), vectors: [vector] }));
  await collection.apply(acme, rows, 1);
  await collection.maintain();
  const indexes = await readdir(join(store.directory, "tables", "vectors-1.lance", "_indices"));
  expect(indexes).toHaveLength(4);
  // Rows that came later are found too.
  await collection.apply(acme, [row(count, { scope })], 2);
  vectors.push(vectorNumber(count));

  const best = (query: Float32Array, isAsked: (number: number) => boolean): readonly string[] =>
    vectors
      .map((vector, number) => ({ number, cosine: cosineOfUnitVectors(vector, query) }))
      .filter(({ number }) => isAsked(number))
      .toSorted((left, right) => right.cosine - left.cosine)
      .slice(0, 10)
      .map(({ number, cosine }) => `${refNumber(number)} ${cosine}`);
  let shared = 0;
  for (let round = 0; round < 20; round++) {
    const query = vectorNumber(round * 149 + 0.37);
    const search = async (scopes: readonly [ReturnType<typeof inScope>]): Promise<readonly string[]> => {
      const hits = await collection.search({ tenant: acme, scopes, vectors: [query], limit: 10 });
      return hits.map(({ ref, cosines }) => `${ref} ${cosines[0]}`);
    };
    // A small scope in a large collection gets its very best.
    expect(await search([{ kind: "user", id: "few" }])).toEqual(best(query, (number) => inScope(number).id === "few"));
    const wanted = new Set(best(query, (number) => inScope(number).id === "a"));
    shared += (await search([scope])).filter((hit) => wanted.has(hit)).length;
  }
  expect(shared / 200).toBeGreaterThanOrEqual(0.98);
  const [newest] = await collection.search({ tenant: acme, scopes: [scope], vectors: [vectorNumber(count)], limit: 1 });
  expect(newest?.ref).toBe(refNumber(count));
});

async function filesWith(text: string): Promise<readonly string[]> {
  const entries = await readdir(store.directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries)
    if (entry.isFile()) {
      const bytes = (await readFile(join(entry.parentPath, entry.name))).toString("latin1");
      if (bytes.toLowerCase().includes(text.toLowerCase())) found.push(entry.name);
    }
  return found;
}
