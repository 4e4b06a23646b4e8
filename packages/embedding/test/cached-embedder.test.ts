import { LociError, tenantId } from "@loci/domain";
import { CachedEmbedder, type EmbeddingCacheSnapshot } from "@loci/embedding";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countingEmbedder, vectorOf } from "./counting-embedder.ts";

const acme = tenantId("acme");
const other = tenantId("acme-corp");
const query = { kind: "query" } as const;

test("answers in order, each distinct text embedded once", async () => {
  const embedder = countingEmbedder();
  const cache = new CachedEmbedder({ embedder });
  const texts = ["one", "two", "one", "three"];
  const expected = await Promise.all(texts.map(vectorOf));
  expect(await cache.embed(acme, texts, query)).toEqual(expected);
  expect(await cache.embed(acme, texts.toReversed(), query)).toEqual(expected.toReversed());
  expect(embedder.batches).toEqual([["one", "two", "three"]]);
  expect(cache.statistics()).toMatchObject({
    requested: 8,
    firstLayer: 4,
    shared: 1,
    embedded: 3,
    calls: 1,
    entries: 3,
  });
  expect(await cache.embed(acme, [], query)).toEqual([]);
});

test("splits into the embedder's batches", async () => {
  const embedder = countingEmbedder(3);
  const texts = Array.from({ length: 8 }, (_, index) => `text ${index}`);
  const vectors = await new CachedEmbedder({ embedder }).embed(acme, texts, query);
  expect(embedder.batches.map((batch) => batch.length)).toEqual([3, 3, 2]);
  expect(vectors).toEqual(await Promise.all(texts.map(vectorOf)));
});

test("keeps tenants, kinds and look-alike texts apart", async () => {
  const embedder = countingEmbedder();
  const cache = new CachedEmbedder({ embedder });
  await cache.embed(acme, ["one"], query);
  await cache.embed(other, ["one"], query);
  await cache.embed(acme, ["one"], { kind: "document" });
  // Lone surrogates become the same bytes as UTF-8.
  await cache.embed(acme, ["\uD800", "\uD801", "\uFFFD", "e\u0301", "\u00E9"], query);
  expect(embedder.batches.flat()).toHaveLength(8);
});

test("the caller owns what it gets", async () => {
  const cache = new CachedEmbedder({ embedder: countingEmbedder() });
  const [first] = await cache.embed(acme, ["one"], query);
  first!.fill(9);
  expect(await cache.embed(acme, ["one"], query)).toEqual([await vectorOf("one")]);
});

test("makes what is not to be cached each time, in batches, and keeps none of it", async () => {
  const embedder = countingEmbedder(2);
  const cache = new CachedEmbedder({ embedder, uncachedKinds: ["document"] });
  const texts = ["one", "two", "one"];
  const expected = await Promise.all(texts.map(vectorOf));
  const document = { kind: "document" } as const;
  const [first] = await cache.embed(acme, texts, document);
  first!.fill(9);
  expect(await cache.embed(acme, texts, document)).toEqual(expected);
  expect(embedder.batches).toEqual([["one", "two"], ["one"], ["one", "two"], ["one"]]);
  await cache.embed(acme, texts, query);
  expect(cache.statistics()).toMatchObject({ requested: 9, firstLayer: 0, shared: 1, embedded: 8, entries: 2 });
  const over = { ...document, signal: AbortSignal.abort(new LociError("CANCELLED", { message: "Enough." })) };
  await expect(cache.embed(acme, texts, over)).rejects.toMatchObject({ reason: "CANCELLED" });
  await cache.close();
  await expect(cache.embed(acme, texts, document)).rejects.toMatchObject({ reason: "CLOSED" });
});

test("forgets what is too old and what was used longest ago", async () => {
  let now = 0;
  const embedder = countingEmbedder();
  const cache = new CachedEmbedder({ embedder, entries: 2, timeToLive: 100, clock: () => now });
  const ask = async (text: string): Promise<boolean> => {
    const before = embedder.batches.length;
    await cache.embed(acme, [text], query);
    return embedder.batches.length === before;
  };
  await ask("one");
  await ask("two");
  expect(await ask("one")).toBe(true);
  await ask("three");
  expect(await ask("one")).toBe(true);
  expect(await ask("two")).toBe(false);
  now = 99;
  expect(await ask("one")).toBe(true);
  now = 100;
  expect(await ask("one")).toBe(false);
  expect(cache.statistics().entries).toBe(2);
});

test("with no entries allowed it only shares what runs at the same time", async () => {
  const embedder = countingEmbedder();
  const cache = new CachedEmbedder({ embedder, entries: 0 });
  await Promise.all([cache.embed(acme, ["one"], query), cache.embed(acme, ["one"], query)]);
  await cache.embed(acme, ["one"], query);
  expect(embedder.batches).toEqual([["one"], ["one"]]);
});

test("a failure reaches whoever waits, and the next call tries again", async () => {
  const embedder = countingEmbedder(1);
  const cache = new CachedEmbedder({ embedder });
  embedder.before = async () => {
    if (embedder.batches.length >= 2) throw new LociError("EMBEDDER_UNAVAILABLE", { message: "down" });
  };
  const both = [cache.embed(acme, ["one", "two"], query), cache.embed(acme, ["two"], query)];
  for (const call of both) await expect(call).rejects.toMatchObject({ reason: "EMBEDDER_UNAVAILABLE" });
  embedder.before = async () => {};
  expect(await cache.embed(acme, ["one", "two"], query)).toEqual([await vectorOf("one"), await vectorOf("two")]);
  // The first batch had succeeded and is kept.
  expect(embedder.batches).toEqual([["one"], ["two"], ["two"]]);
});

test.each([
  ["too few vectors", []],
  ["another dimension", [Float32Array.of(1)]],
  ["NaN", [new Float32Array(16).fill(Number.NaN)]],
  ["another length", [new Float32Array(16).fill(1)]],
])("an embedder that answers with %s is refused, and nothing is kept", async (_, answer) => {
  const embedder = { ...countingEmbedder(), embed: async () => answer };
  const cache = new CachedEmbedder({ embedder });
  await expect(cache.embed(acme, ["one"], query)).rejects.toMatchObject({ reason: "INVALID_VECTOR" });
  expect(cache.statistics().entries).toBe(0);
});

describe("closing", () => {
  test("ends what is running, even if the embedder does not listen", async () => {
    const embedder = countingEmbedder();
    embedder.before = () => new Promise(() => {});
    const cache = new CachedEmbedder({ embedder });
    const call = cache.embed(acme, ["one"], query);
    const [outcome] = await Promise.all([call.catch((error: unknown) => error), cache.close()]);
    expect(outcome).toMatchObject({ reason: "CLOSED" });
    expect(embedder.signals.every(({ aborted }) => aborted)).toBe(true);
    await expect(cache.embed(acme, ["one"], query)).rejects.toMatchObject({ reason: "CLOSED" });
    await cache.close();
  });

  test("writes nothing that the embedder answers afterwards", async () => {
    const answer = Promise.withResolvers<readonly Float32Array[]>();
    const embedder = { ...countingEmbedder(), embed: () => answer.promise };
    const written: unknown[] = [];
    const secondLayer = { get: async () => new Map(), set: async (...entry: unknown[]) => void written.push(entry) };
    const cache = new CachedEmbedder({ embedder, secondLayer });
    const call = cache.embed(acme, ["one"], query).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    await cache.close();
    answer.resolve([await vectorOf("one")]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await call).toMatchObject({ reason: "CLOSED" });
    expect(written).toEqual([]);
    expect(cache.statistics().entries).toBe(0);
  });
});

describe("the snapshot", () => {
  function inMemory(): EmbeddingCacheSnapshot & { bytes: Uint8Array | undefined } {
    return {
      bytes: undefined,
      async read() {
        return this.bytes;
      },
      async write(bytes) {
        this.bytes = bytes;
      },
    };
  }

  test("brings the first layer back, with what is left of its time", async () => {
    let now = 1_000;
    const options = { entries: 10, timeToLive: 100, clock: () => now };
    const snapshot = inMemory();
    const before = new CachedEmbedder({ ...options, embedder: countingEmbedder() });
    await before.embed(acme, ["one", "two"], query);
    now = 1_050;
    await before.embed(acme, ["three"], query);
    await before.saveTo(snapshot);

    now = 1_120;
    const embedder = countingEmbedder();
    const after = new CachedEmbedder({ ...options, embedder });
    expect(await after.loadFrom(snapshot)).toBe(3);
    expect(await after.embed(acme, ["three"], query)).toEqual([await vectorOf("three")]);
    expect(embedder.batches).toEqual([]);
    await after.embed(acme, ["one"], query);
    await after.embed(other, ["three"], query);
    expect(embedder.batches).toEqual([["one"], ["three"]]);
    now = 1_150;
    await after.embed(acme, ["three"], query);
    expect(embedder.batches).toHaveLength(3);
  });

  test("is not read when it is absent, cut short, changed, or of another space", async () => {
    const snapshot = inMemory();
    const saved = new CachedEmbedder({ embedder: countingEmbedder() });
    expect(await saved.loadFrom(snapshot)).toBe(0);
    await saved.embed(acme, ["one", "two"], query);
    await saved.saveTo(snapshot);
    const good = snapshot.bytes!;
    const load = async (bytes: Uint8Array, embedder = countingEmbedder()): Promise<number> => {
      snapshot.bytes = bytes;
      return new CachedEmbedder({ embedder }).loadFrom(snapshot);
    };
    expect(await load(good)).toBe(2);
    for (let length = 0; length < good.length; length += 7) expect(await load(good.slice(0, length))).toBe(0);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
        const bad = good.slice();
        bad[place] = bad[place]! ^ flip;
        expect(await load(bad)).toBe(0);
      }),
      { seed: 1, numRuns: 50 },
    );
    const embedder = countingEmbedder();
    expect(await load(good, { ...embedder, space: { ...embedder.space, version: "2" } })).toBe(0);
  });
});
