import { type Index, Pinecone } from "@pinecone-database/pinecone";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentedLimits, type PineconeEmulator, startPineconeEmulator } from "../src/index.ts";

const schema = { fields: { _values: { type: "dense_vector", dimension: 2, metric: "cosine" } } } as const;

let emulator: PineconeEmulator;
let client: Pinecone;
let index: Index;

beforeAll(async () => {
  emulator = await startPineconeEmulator();
  client = new Pinecone({ apiKey: emulator.apiKey, controllerHostUrl: emulator.controllerUrl, maxRetries: 0 });
  const { host } = (await client.indexes.create({ name: "notes", schema })) ?? {};
  index = client.index({ host: host ?? "" });
});

afterAll(() => emulator[Symbol.asyncDispose]());

const records = (count: number, metadata = {}) =>
  Array.from({ length: count }, (_, number) => ({ id: `r${number}`, values: [1, number], metadata }));

describe("the SDK", () => {
  test("upserts, queries, fetches, lists and deletes", async () => {
    const namespace = "all";
    await index.upsert({ namespace, records: records(3, { kind: "a" }) });
    const found = await index.query({ namespace, vector: [1, 0], topK: 2, includeMetadata: true });
    expect(found.matches.map(({ id, metadata }) => [id, metadata])).toEqual([
      ["r0", { kind: "a" }],
      ["r1", { kind: "a" }],
    ]);
    expect(found.matches[1]?.score).toBeCloseTo(Math.SQRT1_2, 6);
    expect(Object.keys((await index.fetch({ namespace, ids: ["r1", "none"] })).records)).toEqual(["r1"]);
    await index.deleteMany({ namespace, ids: ["r0"] });
    const listed = await index.listPaginated({ namespace, prefix: "r" });
    expect(listed.vectors?.map(({ id }) => id)).toEqual(["r1", "r2"]);
    expect((await index.describeIndexStats()).namespaces?.["all"]?.recordCount).toBe(2);
  });

  test("pages through more ids than one answer holds", async () => {
    const namespace = "pages";
    await index.upsert({ namespace, records: records(250) });
    const ids: (string | undefined)[] = [];
    let token: string | undefined;
    do {
      const page = await index.listPaginated({ namespace, ...(token === undefined ? {} : { paginationToken: token }) });
      ids.push(...(page.vectors ?? []).map(({ id }) => id));
      token = page.pagination?.next;
    } while (token !== undefined);
    expect(new Set(ids).size).toBe(250);
  });
});

describe("what the service refuses is refused", () => {
  const upsert = (...given: readonly object[]): Promise<void> => index.upsert({ records: given as never });
  test.for<[string, () => Promise<unknown>]>([
    ["too many records", () => upsert(...records(documentedLimits.upsertRecords + 1))],
    ["a request that is too large", () => upsert(...records(60, { text: "x".repeat(40_000) }))],
    ["metadata that is too large", () => upsert({ id: "a", values: [1, 1], metadata: { text: "x".repeat(41_000) } })],
    ["metadata of another kind", () => upsert({ id: "a", values: [1, 1], metadata: { list: [1, 2] } })],
    ["a vector of another size", () => upsert({ id: "a", values: [1, 1, 1] })],
    ["a vector of zeros", () => upsert({ id: "a", values: [0, 0] })],
    ["an id that is no ASCII", () => upsert({ id: "\u00E9", values: [1, 1] })],
    ["a query for too many", () => index.query({ vector: [1, 0], topK: documentedLimits.topK + 1 })],
    ["an unknown operator", () => index.query({ vector: [1, 0], topK: 1, filter: { a: { $like: "x" } } })],
    ["a comparison of text by size", () => index.query({ vector: [1, 0], topK: 1, filter: { a: { $gt: "x" } } })],
    ["an empty list", () => index.query({ vector: [1, 0], topK: 1, filter: { a: { $in: [] } } })],
    ["deleting in a namespace that is not there", () => index.deleteMany({ namespace: "nowhere", ids: ["a"] })],
    ["an index that exists", () => client.indexes.create({ name: "notes", schema })],
  ])("%s", async ([, call]) => {
    await expect(call()).rejects.toBeInstanceOf(Error);
  });
});

test("writes are seen in their order, after a while, and reads say how far they see", async () => {
  await using slow = await startPineconeEmulator({ visibilityDelay: 2_000 });
  const positions: Record<string, string | null> = {};
  const fetchApi: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    for (const name of ["x-pinecone-request-lsn", "x-pinecone-max-indexed-lsn"])
      positions[name] = response.headers.get(name) ?? positions[name] ?? null;
    return response;
  };
  const slowClient = new Pinecone({ apiKey: slow.apiKey, controllerHostUrl: slow.controllerUrl, fetchApi });
  const model = await slowClient.indexes.create({ name: "slow", schema });
  const slowIndex = slowClient.index({ host: model?.host ?? "" });
  await slowIndex.upsert({ records: records(1) });
  expect((await slowIndex.query({ vector: [1, 0], topK: 1 })).matches).toEqual([]);
  expect(positions).toEqual({ "x-pinecone-request-lsn": "1", "x-pinecone-max-indexed-lsn": "0" });
  await expect.poll(async () => (await slowIndex.query({ vector: [1, 0], topK: 1 })).matches.length).toBe(1);
  expect(positions["x-pinecone-max-indexed-lsn"]).toBe("1");
});
