import { tenantId, type TenantId } from "@loci/domain";
import { CachedEmbedder, type EmbeddingCacheLayer } from "@loci/embedding";
import { expect, test } from "vitest";
import { countingEmbedder, vectorOf } from "./counting-embedder.ts";

const acme = tenantId("acme");
const query = { kind: "query" } as const;

class TableLayer implements EmbeddingCacheLayer {
  readonly tables = new Map<TenantId, Map<string, Float32Array>>();

  async get(tenant: TenantId, keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const table = this.tables.get(tenant);
    return new Map(keys.flatMap((key) => (table?.has(key) ? [[key, table.get(key)!] as const] : [])));
  }

  async set(tenant: TenantId, entries: ReadonlyMap<string, Float32Array>): Promise<void> {
    this.tables.set(tenant, new Map([...(this.tables.get(tenant) ?? []), ...entries]));
  }
}

test("what one process embedded the next one finds, tenant by tenant", async () => {
  const secondLayer = new TableLayer();
  const first = new CachedEmbedder({ embedder: countingEmbedder(), secondLayer });
  await first.embed(acme, ["one", "two"], query);
  await first.close();

  const embedder = countingEmbedder();
  const second = new CachedEmbedder({ embedder, secondLayer });
  const texts = ["one", "two", "three"];
  expect(await second.embed(acme, texts, query)).toEqual(await Promise.all(texts.map(vectorOf)));
  expect(embedder.batches).toEqual([["three"]]);
  expect(second.statistics()).toMatchObject({ requested: 3, secondLayer: 2, embedded: 1, firstLayer: 0 });
  await second.embed(tenantId("acme-corp"), ["one"], query);
  expect(embedder.batches).toEqual([["three"], ["one"]]);
  const tables = [...secondLayer.tables.values()].map((table) => [...table.keys()]);
  expect(new Set(tables.flat()).size).toBe(tables.flat().length);
});

test("keeps the kinds it is asked to keep", async () => {
  const secondLayer = new TableLayer();
  const batches: unknown[] = [];
  for (let run = 0; run < 2; run++) {
    const embedder = countingEmbedder();
    const cache = new CachedEmbedder({ embedder, secondLayer, keptKinds: ["query"] });
    await cache.embed(acme, ["asked"], query);
    await cache.embed(acme, ["told"], { kind: "document" });
    await cache.close();
    batches.push(embedder.batches);
  }
  expect(batches).toEqual([[["asked"], ["told"]], [["told"]]]);
});

test("an import of other kinds pushes nothing out of the first layer, and is not saved with it", async () => {
  const embedder = countingEmbedder();
  const cache = new CachedEmbedder({ embedder, entries: 20, keptKinds: ["query"] });
  const questions = Array.from({ length: 20 }, (_, number) => `asked ${number}`);
  await cache.embed(acme, questions, query);
  for (let number = 0; number < 50; number++) await cache.embed(acme, [`told ${number}`], { kind: "document" });
  const calls = embedder.batches.length;
  await cache.embed(acme, questions, query);
  await cache.embed(acme, ["told 49"], { kind: "document" });
  expect(embedder.batches).toHaveLength(calls);
  expect(cache.statistics()).toMatchObject({ firstLayer: 21, entries: 22 });
  let bytes: Uint8Array | undefined;
  const snapshot = { read: async () => bytes, write: async (saved: Uint8Array) => void (bytes = saved) };
  await cache.saveTo(snapshot);
  expect(await new CachedEmbedder({ embedder, keptKinds: ["query"] }).loadFrom(snapshot)).toBe(20);
});

test.each(["settled", "close"] as const)("writing never delays an answer, and %s waits for it", async (method) => {
  const secondLayer = new TableLayer();
  const write = Promise.withResolvers<void>();
  secondLayer.set = () => write.promise;
  const cache = new CachedEmbedder({ embedder: countingEmbedder(), secondLayer });
  await cache.embed(acme, ["one"], query);
  let isSettled = false;
  const settled = cache[method]().then(() => (isSettled = true));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isSettled).toBe(false);
  write.resolve();
  await settled;
  expect(isSettled).toBe(true);
});

test.each([
  ["fails", async () => Promise.reject(new Error("disk"))],
  [
    "throws at once",
    () => {
      throw new Error("disk");
    },
  ],
  ["hangs", () => new Promise<never>(() => {})],
])("a second layer that %s is passed over, reported, and left alone for a while", async (_, broken) => {
  let now = 0;
  let asked = 0;
  const failures: unknown[] = [];
  const embedder = countingEmbedder();
  const secondLayer: EmbeddingCacheLayer = {
    get: () => {
      asked++;
      return broken();
    },
    set: broken,
  };
  const cache = new CachedEmbedder({
    embedder,
    secondLayer,
    secondLayerTimeLimit: 10,
    onSecondLayerFailure: (error) => failures.push(error),
    clock: () => now,
  });
  expect(await cache.embed(acme, ["one"], query)).toEqual([await vectorOf("one")]);
  await cache.embed(acme, ["two"], query);
  expect([asked, failures.length]).toEqual([1, 1]);
  now = 5_000;
  await cache.embed(acme, ["three"], query);
  expect([asked, failures.length, cache.statistics().secondLayerFailures]).toEqual([2, 2, 2]);
  expect(embedder.batches).toHaveLength(3);
});

test("a write that fails is reported", async () => {
  const failures: unknown[] = [];
  const secondLayer = new TableLayer();
  secondLayer.set = async () => Promise.reject(new Error("full"));
  const onSecondLayerFailure = (error: unknown): void => void failures.push(error);
  const cache = new CachedEmbedder({ embedder: countingEmbedder(), secondLayer, onSecondLayerFailure });
  await cache.embed(acme, ["one"], query);
  await cache.settled();
  expect(failures).toEqual([new Error("full")]);
});

test("what is no vector of the space, or was not asked for, is not taken", async () => {
  const embedder = countingEmbedder();
  const secondLayer = new TableLayer();
  secondLayer.get = async (_, keys) =>
    new Map([
      [keys[0]!, Float32Array.of(1)],
      [keys[1]!, new Float32Array(16).fill(Number.NaN)],
      ["not asked for", await vectorOf("other")],
    ]);
  const cache = new CachedEmbedder({ embedder, secondLayer });
  expect(await cache.embed(acme, ["one", "two"], query)).toEqual([await vectorOf("one"), await vectorOf("two")]);
  expect(embedder.batches).toEqual([["one", "two"]]);
  expect(cache.statistics()).toMatchObject({ secondLayer: 0, secondLayerFailures: 2, entries: 2 });
});

test("a caller who cancels while the second layer hangs is no failure of it", async () => {
  const embedder = countingEmbedder();
  const secondLayer = new TableLayer();
  secondLayer.get = () => new Promise(() => {});
  const cache = new CachedEmbedder({ embedder, secondLayer });
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  const call = cache.embed(acme, ["one"], { ...query, signal: controller.signal });
  await expect(call).rejects.toMatchObject({ reason: "CANCELLED" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(cache.statistics().secondLayerFailures).toBe(0);
  expect(embedder.batches).toEqual([]);
});
