import { LociError, tenantId } from "@loci/domain";
import { CachedEmbedder } from "@loci/embedding";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countingEmbedder, vectorOf } from "./counting-embedder.ts";

const acme = tenantId("acme");
const kind = "query";

test("a caller who cancels gets CANCELLED at once and does not break the other", async () => {
  const embedder = countingEmbedder();
  const answer = Promise.withResolvers<void>();
  embedder.before = () => answer.promise;
  const cache = new CachedEmbedder({ embedder });
  const controller = new AbortController();
  const first = cache.embed(acme, ["one", "two"], { kind, signal: controller.signal });
  const second = cache.embed(acme, ["two"], { kind });
  controller.abort();
  await expect(first).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(embedder.signals[0]?.aborted).toBe(false);
  answer.resolve();
  expect(await second).toEqual([await vectorOf("two")]);
  expect(embedder.batches).toEqual([["one", "two"]]);
});

test("when everyone has cancelled the embedder is aborted, and a later caller starts anew", async () => {
  const embedder = countingEmbedder();
  embedder.before = () => new Promise(() => {});
  const cache = new CachedEmbedder({ embedder });
  const controllers = [new AbortController(), new AbortController()];
  const calls = controllers.map(({ signal }) => cache.embed(acme, ["one"], { kind, signal }));
  const reason = new LociError("DEADLINE_EXCEEDED", { message: "Too late." });
  for (const controller of controllers) controller.abort(reason);
  for (const call of calls) await expect(call).rejects.toBe(reason);
  expect(embedder.signals.map(({ aborted }) => aborted)).toEqual([true]);
  embedder.before = async () => {};
  expect(await cache.embed(acme, ["one"], { kind })).toEqual([await vectorOf("one")]);
});

test("work that nobody waits for any more does not get in the way of what came after", async () => {
  const embedder = countingEmbedder();
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  embedder.before = async () => answers[embedder.batches.length - 1]?.promise;
  const cache = new CachedEmbedder({ embedder, entries: 0 });
  const controller = new AbortController();
  const first = cache.embed(acme, ["one"], { kind, signal: controller.signal });
  controller.abort();
  await expect(first).rejects.toMatchObject({ reason: "CANCELLED" });
  const second = cache.embed(acme, ["one"], { kind });
  answers[0]?.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  const third = cache.embed(acme, ["one"], { kind });
  answers[1]?.resolve();
  expect(await Promise.all([second, third])).toEqual([[await vectorOf("one")], [await vectorOf("one")]]);
  expect(embedder.batches).toHaveLength(2);
});

test("a call that was cancelled before it began asks nobody", async () => {
  const embedder = countingEmbedder();
  const cache = new CachedEmbedder({ embedder });
  await expect(cache.embed(acme, ["one"], { kind, signal: AbortSignal.abort() })).rejects.toMatchObject({
    reason: "CANCELLED",
  });
  expect(embedder.batches).toEqual([]);
});

test("10,000 calls, many of them cancelled: each gets its own vectors or its own cancellation", async () => {
  const random = fc.sample(fc.nat(2 ** 31 - 1), { seed: 7, numRuns: 50_000 });
  const next = (below: number): number => random.pop()! % below;
  const tenants = ["acme", "acme-corp", "globex"].map(tenantId);
  const embedder = countingEmbedder(4);
  embedder.before = async () => {
    for (let turn = next(3); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
  };
  // Few entries and a short life, so that most texts are on their way most of the time.
  const cache = new CachedEmbedder({ embedder, entries: 10 });
  let cancelled = 0;
  const call = async (): Promise<void> => {
    const tenant = tenants[next(tenants.length)]!;
    // The tenant's name is in its texts, so that another tenant's vector shows.
    const texts = Array.from({ length: 1 + next(3) }, () => `${tenant} ${next(20)}`);
    const controller = new AbortController();
    const running = cache.embed(tenant, texts, { kind, signal: controller.signal });
    const isCancelled = next(2) === 0;
    if (isCancelled && next(2) === 0) controller.abort();
    else if (isCancelled) setImmediate(() => controller.abort());
    try {
      expect(await running).toEqual(await Promise.all(texts.map(vectorOf)));
    } catch (error) {
      if (!LociError.is(error) || error.reason !== "CANCELLED" || !isCancelled) throw error;
      cancelled++;
    }
  };
  for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 100 }, call));
  expect(cancelled).toBeGreaterThan(2_000);
  expect(cache.statistics().requested).toBeGreaterThan(10_000);
});

test("the counters add up", async () => {
  const text = fc.constantFrom("a", "b", "c", "d");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(text, { maxLength: 5 }), { maxLength: 10 }), async (calls) => {
      const cache = new CachedEmbedder({ embedder: countingEmbedder(2), entries: 2 });
      await Promise.all(calls.map((texts) => cache.embed(acme, texts, { kind })));
      for (const texts of calls) await cache.embed(acme, texts, { kind });
      const { requested, firstLayer, shared, secondLayer, embedded } = cache.statistics();
      expect(requested).toBe(2 * calls.flat().length);
      expect(firstLayer + shared + secondLayer + embedded).toBe(requested);
    }),
    { seed: 1 },
  );
});
