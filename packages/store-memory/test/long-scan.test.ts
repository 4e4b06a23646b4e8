import { memoryId, type NonEmpty, type Scope, tenantId } from "@loci/domain";
import { collectionId, type IndexUpsert, type TextIndex, type VectorCollection } from "@loci/store";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const count = 30_000;
const tenant = tenantId("acme");
const scopes: NonEmpty<Scope> = [{ kind: "global" }];
const vector = Float32Array.from({ length: 64 }, () => 1 / 8);
const vectors: NonEmpty<Float32Array> = [vector, vector, vector, vector, vector];
// A filter that takes its time, for the text index.
const words = Array.from({ length: 300 }, (_, index) => `word ${index}`);
const where = { field: "category", operator: "notIn", value: words } as const;

const rows = Array.from({ length: count }, (_, index): IndexUpsert => ({
  type: "upsert",
  ref: memoryId(`00000000-0000-7000-8000-${String(index).padStart(12, "0")}`),
  version: 1,
  scope: { kind: "global" },
  fields: { category: "fact" },
  vectors: [vector],
  terms: new Map([["word", 1]]),
}));

let collection: VectorCollection;
let index: TextIndex;
beforeAll(async () => {
  const space = { provider: "test", model: "test", dimensions: 64, version: "1" };
  collection = await openMemoryVectorStore().openCollection(collectionId("main"), space);
  index = openMemoryTextIndex();
  for (const projection of [collection, index]) await projection.apply(tenant, rows, count);
});

// Scans pause by the clock, and a fast machine would be at the end before the first pause. For these time flies.
beforeEach(() => {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (time += 10));
});
afterEach(() => void vi.restoreAllMocks());

describe.each([
  {
    name: "vector collection",
    projection: () => collection,
    search: (options?: object) => collection.search({ tenant, scopes, vectors, limit: count }, options),
  },
  {
    name: "text index",
    projection: () => index,
    search: (options?: object) => index.search({ tenant, scopes, terms: ["word"], where, limit: count }, options),
  },
])("a long scan of the $name", ({ projection, search }) => {
  test("stops when its signal aborts", async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    await expect(search({ signal: controller.signal })).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  test("stops at its deadline", async () => {
    const deadline = Date.now() + 10;
    // In the scan's first pause, until it has passed.
    setImmediate(() => {
      while (Date.now() < deadline + 10);
    });
    await expect(search({ deadline })).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });
  });

  test("lets others work, and sees nothing of what they change meanwhile", async () => {
    let turns = 0;
    let isRunning = true;
    const take = (): void => {
      turns++;
      if (isRunning) setImmediate(take);
    };
    setImmediate(take);
    const running = search();
    setImmediate(() => {
      const changes = rows.slice(count - 100).map((row) => ({ ...row, version: 2 }));
      void projection().apply(tenant, changes, count + 1);
    });
    const hits = await running;
    isRunning = false;
    expect(turns).toBeGreaterThan(10);
    expect(hits.length).toBe(count);
    expect(hits.every(({ version }) => version === 1)).toBe(true);
  });
});
