import { inspect } from "node:util";
import { LociError, memoryId, parseScope, type Ref, tenantId } from "@loci/domain";
import { type FaultPlan, type PineconeEmulator, startPineconeEmulator } from "@loci/pinecone-emulator";
import { collectionId, type IndexUpsert, type VectorCollection } from "@loci/store";
import { Pinecone } from "@pinecone-database/pinecone";
import { expect, test } from "vitest";
import { openPineconeStore, type PineconeStoreOptions } from "../src/index.ts";

const tenant = tenantId("acme");
const alice = parseScope("user:alice");
const space = { provider: "testing", model: "axes", dimensions: 3, version: "1" };
const main = collectionId("main");
const vector = Float32Array.of(1, 0, 0);

function refNumber(number: number): Ref {
  return memoryId(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`);
}

function row(number: number, changes: Partial<IndexUpsert> = {}): IndexUpsert {
  const content = { fields: { category: "fact" }, vectors: [vector], terms: new Map<string, number>() };
  return { type: "upsert", ref: refNumber(number), version: 1, scope: alice, ...content, ...changes };
}

function storeOf({ apiKey, controllerUrl }: PineconeEmulator, options: Partial<PineconeStoreOptions> = {}) {
  return openPineconeStore({ apiKey, controllerUrl, firstRetryDelay: 1, ...options });
}

async function found(collection: VectorCollection): Promise<readonly Ref[]> {
  const hits = await collection.search({ tenant, scopes: [alice], vectors: [vector], limit: 100 });
  return hits.map(({ ref }) => ref).toSorted();
}

async function failureOf(work: Promise<unknown>): Promise<LociError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!LociError.is(error)) throw new Error(`Expected a LociError, not ${inspect(error)}`);
  expect(inspect(error) + JSON.stringify(error)).not.toContain("pcsk_");
  return error;
}

test("a storm of 429 and 503 costs time and nothing else", async () => {
  const storm: FaultPlan = ({ number }) =>
    number % 3 === 0 ? undefined : { status: number % 3 === 1 ? 429 : 503, isCarriedOut: number % 2 === 0 };
  await using emulator = await startPineconeEmulator({ faults: storm });
  const collection = await storeOf(emulator).openCollection(main, space);
  for (let batch = 0; batch < 5; batch++)
    await collection.apply(tenant, [row(2 * batch), row(2 * batch + 1)], 2 * (batch + 1));
  expect(await found(collection)).toEqual(Array.from({ length: 10 }, (_, number) => refNumber(number)));
  expect(await collection.checkpoint(tenant)).toBe(10);
});

test("a service that stays overloaded is unavailable, and comes back by itself", async () => {
  await using emulator = await startPineconeEmulator();
  const collection = await storeOf(emulator, { maxRetries: 2 }).openCollection(main, space);
  emulator.failWith(() => ({ status: 429 }));
  const before = emulator.requests.length;
  expect((await failureOf(collection.apply(tenant, [row(1)], 1))).reason).toBe("STORE_UNAVAILABLE");
  expect(emulator.requests.length - before).toBe(3);
  expect((await failureOf(found(collection))).reason).toBe("STORE_UNAVAILABLE");
  emulator.failWith(undefined);
  await collection.apply(tenant, [row(1)], 1);
  expect(await found(collection)).toEqual([refNumber(1)]);
});

test("the pause that the service asks for is kept, and ends when the caller gives up", async () => {
  await using emulator = await startPineconeEmulator();
  const collection = await storeOf(emulator).openCollection(main, space);
  emulator.failWith(() => ({ status: 429, retryAfterSeconds: 60 }));
  const given = new AbortController();
  const started = performance.now();
  const asked = failureOf(
    collection.search({ tenant, scopes: [alice], vectors: [vector], limit: 1 }, { signal: given.signal }),
  );
  setTimeout(() => given.abort(), 30);
  expect((await asked).reason).toBe("CANCELLED");
  expect(performance.now() - started).toBeLessThan(8_000);
});

test("a service that is not there is unavailable", async () => {
  const store = openPineconeStore({
    apiKey: "pcsk_any",
    controllerUrl: "http://127.0.0.1:9",
    maxRetries: 1,
    firstRetryDelay: 1,
  });
  expect((await failureOf(store.openCollection(main, space))).reason).toBe("STORE_UNAVAILABLE");
});

test("a service that never answers is unavailable, and nobody waits for ever", async () => {
  await using emulator = await startPineconeEmulator({ faults: () => ({ status: 503, isSilent: true }) });
  const store = storeOf(emulator, { maxRetries: 1, requestTimeout: 500 });
  const started = performance.now();
  expect((await failureOf(store.openCollection(main, space))).reason).toBe("STORE_UNAVAILABLE");
  expect(emulator.requests).toHaveLength(2);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("who sets no limit to a request has none", async () => {
  await using emulator = await startPineconeEmulator();
  const store = storeOf(emulator, { maxRetries: 0, requestTimeout: Infinity });
  await expect(store.openCollection(main, space)).resolves.toBeDefined();
});

test("an index that is never ready, and one that is never gone, are told of", async () => {
  await using emulator = await startPineconeEmulator();
  const store = storeOf(emulator, { maxIndexWait: 1 });
  emulator.failWith(({ method }) => (method === "GET" ? { status: 404 } : undefined));
  expect(await failureOf(store.openCollection(main, space))).toMatchObject({
    reason: "STORE_UNAVAILABLE",
    message: expect.stringContaining("is missing still after 1 ms") as string,
  });
  emulator.failWith(({ method }) => (method === "DELETE" ? { status: 404 } : undefined));
  expect((await failureOf(store.dropCollection(main))).reason).toBe("STORE_UNAVAILABLE");
});

test("closing the store ends the wait for an index", async () => {
  await using emulator = await startPineconeEmulator();
  const store = storeOf(emulator);
  emulator.failWith(({ method }) => (method === "GET" ? { status: 404 } : undefined));
  const opening = failureOf(store.openCollection(main, space));
  await expect.poll(() => emulator.requests.length).toBeGreaterThan(2);
  await store.close();
  expect((await opening).reason).toBe("CLOSED");
});

test("a wrong key is a mistake in the configuration", async () => {
  await using emulator = await startPineconeEmulator();
  const store = storeOf(emulator, { apiKey: "pcsk_other" });
  expect((await failureOf(store.openCollection(main, space))).reason).toBe("INVALID_CONFIGURATION");
  for (const wrong of [{ apiKey: "two\nlines" }, { prefix: "Upper" }, { prefix: "" }])
    expect(() => storeOf(emulator, wrong)).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION" }));
});

test("a batch that failed half-way is applied again without harm", async () => {
  await using emulator = await startPineconeEmulator();
  const collection = await storeOf(emulator, { maxRetries: 0 }).openCollection(main, space);
  await collection.apply(tenant, [row(1, { vectors: [vector, Float32Array.of(0, 1, 0)] })], 1);
  const changes = [row(1, { version: 2 }), row(2), { type: "delete", ref: refNumber(2), version: 2 } as const, row(3)];
  for (let failing = 1; ; failing++) {
    // A batch of four changes takes fewer requests: else nothing would ever end this.
    expect(failing).toBeLessThan(20);
    const first = emulator.requests.length;
    emulator.failWith(({ number }) => (number === first + failing ? { status: 503 } : undefined));
    const outcome = await collection.apply(tenant, changes, 5).then(
      () => "done",
      () => "failed",
    );
    emulator.failWith(undefined);
    if (outcome === "done") break;
    expect(await collection.checkpoint(tenant)).toBe(1);
  }
  expect(await found(collection)).toEqual([refNumber(1), refNumber(3)]);
  expect(await collection.checkpoint(tenant)).toBe(5);
});

test("a store opened anew goes on where the namespace stands", async () => {
  await using emulator = await startPineconeEmulator({ visibilityDelay: 20 });
  const first = await storeOf(emulator).openCollection(main, space);
  await first.apply(tenant, [row(1, { version: 3 })], 3);
  const second = await storeOf(emulator).openCollection(main, space);
  // Its reads lag behind: what it is given again must not do harm.
  await second.apply(tenant, [row(1), row(1, { version: 3 }), row(2)], 4);
  await expect.poll(() => second.checkpoint(tenant)).toBe(4);
  const hits = await second.search({ tenant, scopes: [alice], vectors: [vector], limit: 10 });
  expect(hits.map(({ ref, version }) => [ref, version])).toEqual([
    [refNumber(1), 3],
    [refNumber(2), 1],
  ]);
});

test("records that others have put into a namespace are never shown", async () => {
  await using emulator = await startPineconeEmulator();
  const collection = await storeOf(emulator).openCollection(main, space);
  await collection.apply(tenant, [row(1)], 1);
  const client = new Pinecone({ apiKey: emulator.apiKey, controllerHostUrl: emulator.controllerUrl });
  const [model] = (await client.indexes.list()).indexes ?? [];
  const index = client.index({ host: model?.host ?? "" });
  const [namespace = ""] = Object.keys((await index.describeIndexStats()).namespaces ?? {});
  const values = [...vector];
  await index.upsert({
    namespace,
    records: [
      { id: "theirs", values, metadata: { kind: "vector", scope: "user:alice" } },
      {
        id: "theirs#0",
        values,
        metadata: { kind: "vector", scope: "user:alice", ref: refNumber(7), version: 1, records: 1 },
      },
      { id: `${refNumber(8)}#0`, values },
    ],
  });
  expect(await found(collection)).toEqual([refNumber(1)]);
  expect(await collection.count(tenant)).toBe(1);
});

test("an index that was not made by Loci is refused", async () => {
  await using emulator = await startPineconeEmulator();
  const store = storeOf(emulator);
  await store.openCollection(main, space);
  const client = new Pinecone({ apiKey: emulator.apiKey, controllerHostUrl: emulator.controllerUrl });
  const [made] = (await client.indexes.list()).indexes ?? [];
  await client.indexes.delete(made?.name ?? "");
  await client.indexes.create({
    name: made?.name ?? "",
    schema: { fields: { _values: { type: "dense_vector", dimension: 3, metric: "cosine" } } },
  });
  const other = storeOf(emulator).openCollection(main, space);
  expect((await failureOf(other)).reason).toBe("EMBEDDING_SPACE_MISMATCH");
});
