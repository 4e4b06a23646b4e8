import { cosineOfUnitVectors, type Filter, type NonEmpty } from "@loci/domain";
import type { IndexUpsert, VectorCollection } from "@loci/store";
import { openMemoryVectorStore } from "@loci/store-memory";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acme, alice, axis, main, other, randomVectors, row, spaceOf, take } from "./samples.ts";
import { type OpenedStore, TestServer } from "./test-store.ts";

const dimensions = 32;
const count = 3_000;
const queries = take(randomVectors(dimensions, 7), 40);
const procedures: Filter = { field: "category", operator: "equals", value: "procedure" };

const vectors = randomVectors(dimensions);
const rows = Array.from({ length: count }, (_, number): IndexUpsert =>
  row(number + 1, {
    fields: { category: number % 10 === 0 ? "procedure" : "fact" },
    // Every twentieth has three.
    vectors: take(vectors, number % 20 === 0 ? 3 : 1),
  }),
);
const few = [axis(0, dimensions), axis(1, dimensions)].map((vector, index) =>
  row(90_000 + index, { vectors: [vector] }),
);

// Two stores at once, and statistics of use: PGlite has neither. The whole conformance suite runs on its graph all the same.
const isMissing = missingNativePostgres() !== undefined;

let server: TestServer;
let opened: OpenedStore;
let graph: VectorCollection;
let exact: VectorCollection;

beforeAll(async () => {
  if (isMissing) return;
  server = await TestServer.start("native");
  // Of so few short vectors PostgreSQL would compare all: for that they are read in order.
  const database = new URL(server.database.connectionString).pathname.slice(1);
  for (const plan of ["enable_seqscan", "enable_bitmapscan"])
    await server.execute(`ALTER DATABASE ${database} SET ${plan} = off`);
  opened = await server.open({ index: "hnsw", exactRows: 100 });
  graph = await opened.store.vectorStore.openCollection(main, spaceOf(dimensions));
  exact = await openMemoryVectorStore().openCollection(main, spaceOf(dimensions));
  for (const collection of [graph, exact]) {
    await collection.apply(acme, rows, count);
    await collection.apply(other, few, few.length);
  }
  // Makes the graph.
  await graph.maintain();
});
afterAll(() => (isMissing ? undefined : server.database.drop()));

async function overlap(limit: number, where?: Filter): Promise<number> {
  let same = 0;
  for (const query of queries) {
    const request = { tenant: acme, scopes: [alice], vectors: [query], limit, where } as const;
    const [found, best] = await Promise.all([graph.search(request), exact.search(request)]);
    expect(found).toHaveLength(limit);
    const refs = new Set(best.map(({ ref }) => ref));
    same += found.filter(({ ref }) => refs.has(ref)).length;
  }
  return same / (limit * queries.length);
}

describe.skipIf(isMissing)("the graph", () => {
  test("is what a broad search uses, and finds at least 98% of the true top 10", async () => {
    const uses = async (): Promise<number> => {
      const [use] = await server.execute(
        "SELECT pg_stat_force_next_flush(), sum(idx_scan)::integer AS scans FROM pg_stat_user_indexes WHERE indexrelname = 'vectors_1_nearest'",
      );
      return Number(use?.["scans"]);
    };
    const before = await uses();
    expect(await overlap(10)).toBeGreaterThanOrEqual(0.98);
    // A connection tells of its uses once a second, at the end of a transaction.
    const usesAfterAnother = async (): Promise<number> => {
      await overlap(10);
      return uses();
    };
    await expect.poll(usesAfterAnother, { interval: 300 }).toBeGreaterThan(before);
  });

  test("finds as many rows as asked for behind a filter that leaves few", async () => {
    expect(await overlap(10, procedures)).toBeGreaterThanOrEqual(0.98);
    expect(await overlap(200, procedures)).toBeGreaterThanOrEqual(0.98);
  });

  test("is not asked when few rows are selected: then the answer is exact", async () => {
    const search = { scopes: [alice], vectors: [axis(0, dimensions)] as NonEmpty<Float32Array>, limit: 10 } as const;
    const small = { ...search, tenant: other };
    expect(await graph.search(small)).toEqual(await exact.search(small));
    const narrow: Filter = { and: [procedures, { field: "category", operator: "notEquals", value: "fact" }] };
    const found = await graph.search({ ...search, tenant: acme, where: narrow, limit: 400 });
    expect(found).toHaveLength(count / 10);
  });

  test("tells cosines to the last bit", async () => {
    const [query] = queries;
    if (query === undefined) throw new Error("There is no query.");
    const known = new Map(rows.map((upsert) => [upsert.ref, upsert.vectors]));
    const found = await graph.search({ tenant: acme, scopes: [alice], vectors: [query], limit: 50 });
    for (const { ref, cosines } of found)
      expect(cosines).toEqual([Math.max(...(known.get(ref) ?? []).map((own) => cosineOfUnitVectors(own, query)))]);
  });
});

describe.skipIf(isMissing)("many dimensions", () => {
  test("have a graph of half precision above 2,000, up to 4,000", async () => {
    const wide = await opened.store.vectorStore.openCollection("wide" as typeof main, spaceOf(2_100));
    const wideRows = Array.from({ length: 120 }, (_, number) => row(number + 1, { vectors: [axis(number, 2_100)] }));
    await wide.apply(acme, wideRows, wideRows.length);
    await wide.maintain();
    const [best] = await wide.search({ tenant: acme, scopes: [alice], vectors: [axis(70, 2_100)], limit: 3 });
    expect(best).toEqual({ ref: row(71).ref, version: 1, cosines: [1] });
    const tooWide = opened.store.vectorStore.openCollection("wider" as typeof main, spaceOf(4_001));
    await expect(tooWide).rejects.toMatchObject({ reason: "UNSUPPORTED_OPERATION" });
  });

  test("have none of it without a graph, up to 16,000", async () => {
    const { store, destroy } = await server.open({ index: "none" });
    const wide = await store.vectorStore.openCollection(main, spaceOf(16_000));
    await wide.apply(acme, [row(1, { vectors: [axis(15_999, 16_000)] })], 1);
    const found = await wide.search({ tenant: acme, scopes: [alice], vectors: [axis(15_999, 16_000)], limit: 1 });
    expect(found).toEqual([{ ref: row(1).ref, version: 1, cosines: [1] }]);
    await destroy();
  });

  test("get their graph from maintain, once there are more rows than are compared one by one", async () => {
    const { store, options, destroy } = await server.open({ index: "hnsw", exactRows: 3 });
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    const graphs = async (): Promise<readonly unknown[]> =>
      server.execute(
        "SELECT 1 FROM pg_indexes WHERE schemaname = $1 AND indexdef LIKE '%USING hnsw%ef_construction=''128''%'",
        [options.schema],
      );
    await collection.apply(acme, [row(1), row(2), row(3)], 3);
    await collection.maintain();
    expect(await graphs()).toHaveLength(0);
    await collection.apply(acme, [row(4)], 4);
    await collection.maintain();
    expect(await graphs()).toHaveLength(1);
    await collection.maintain({ purge: true });
    expect(await graphs()).toHaveLength(1);
    // As a build leaves it whose process was killed.
    const isWhole = async (): Promise<unknown> => {
      const [found] = await server.execute("SELECT indisvalid AS whole FROM pg_index WHERE indexrelid = $1::regclass", [
        `${options.schema}.vectors_1_nearest`,
      ]);
      return found?.["whole"];
    };
    await server.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = $1::regclass", [
      `${options.schema}.vectors_1_nearest`,
    ]);
    await collection.maintain();
    expect(await isWhole()).toBe(true);
    const vectors: NonEmpty<Float32Array> = [axis(0, 8)];
    expect(await collection.search({ tenant: acme, scopes: [alice], vectors, limit: 5 })).toHaveLength(4);
    await destroy();
  });
});
