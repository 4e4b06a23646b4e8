import {
  openPgvectorStore,
  type PgvectorStore,
  type PgvectorStoreOptions,
  removePgvectorStore,
} from "@loci/store-pgvector";
import { type TenantId, tenantId } from "@loci/domain";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alice, listed, row } from "./samples.ts";
import { TestServer } from "./test-store.ts";

const tenants: readonly TenantId[] = Array.from({ length: 8 }, (_, number) => tenantId(`tenant-${number}`));
const textTables = ["texts", "text_divisions", "text_postings", "text_terms", "text_checkpoints"];

// PGlite has one role, which row-level security does not hold for.
describe.skipIf(missingNativePostgres() !== undefined)("words that are split by tenant", () => {
  let server: TestServer;
  let options: PgvectorStoreOptions;
  let store: PgvectorStore;
  /** Of a role that owns the schema and that row-level security holds for. */
  let role: string;

  beforeAll(async () => {
    server = await TestServer.start("native");
    const made = server.options({ textPartitions: 4 });
    role = `owner_${new URL(made.connectionString).pathname.slice(1)}`;
    await server.execute("CREATE EXTENSION IF NOT EXISTS vector");
    await server.execute(`CREATE ROLE ${role} LOGIN PASSWORD 'only for this test'`);
    await server.execute(`CREATE SCHEMA "${made.schema}" AUTHORIZATION ${role}`);
    const url = new URL(made.connectionString);
    url.username = role;
    url.password = "only for this test";
    options = { ...made, connectionString: url.href };
    store = await openPgvectorStore(options);
    const changes = Array.from({ length: 150 }, (_, number) =>
      row(number, { terms: new Map([[`w${number % 9}`, 1]]) }),
    );
    for (const tenant of tenants) await store.textIndex.apply(tenant, changes, 150);
  });
  afterAll(async () => {
    await store.close();
    await server.execute(`DROP OWNED BY ${role}`);
    await server.execute(`DROP ROLE ${role}`);
    await server.database.drop();
  });

  const partOf = async (tenant: TenantId): Promise<unknown> => {
    const [found] = await server.execute(
      `SELECT DISTINCT tableoid::regclass::text AS part FROM "${options.schema}".text_postings WHERE tenant = $1`,
      [tenant],
    );
    return found?.["part"];
  };

  test("lie in one partition for each tenant, and in several for all of them", async () => {
    const parts = await Promise.all(tenants.map(partOf));
    expect(new Set(parts).size).toBeGreaterThan(1);
    expect(parts).not.toContain(undefined);
  });

  test("are found, kept by upkeep and purge, and begin again for one tenant alone", async () => {
    const [first, second] = tenants as [TenantId, TenantId];
    const search = (tenant: TenantId): Promise<readonly unknown[]> =>
      store.textIndex.search({ tenant, scopes: [alice], terms: ["w3", "w4"], limit: 1_000 });
    const before = await search(first);
    expect(before).toHaveLength(34);
    await store.textIndex.maintain();
    await store.textIndex.maintain({ purge: true });
    expect(await search(first)).toEqual(before);
    await store.textIndex.reset?.(second);
    expect(await search(second)).toEqual([]);
    expect(await store.textIndex.checkpoint(second)).toBe(0);
    expect(await search(first)).toEqual(before);
    expect(await listed(store.textIndex, first)).toHaveLength(150);
  });

  test("are hidden from another tenant also by whoever asks a partition itself", async () => {
    const client = new Client({ connectionString: options.connectionString });
    await client.connect();
    const [tenant] = tenants as [TenantId];
    for (const table of textTables)
      for (const name of [table, ...[0, 1, 2, 3].map((part) => `${table}_part_${part}`)]) {
        const rows = `SELECT DISTINCT tenant FROM "${options.schema}".${name}`;
        expect({ name, seen: (await client.query(rows)).rows }).toEqual({ name, seen: [] });
        await client.query("BEGIN");
        await client.query("SELECT set_config('loci.tenant', $1, true)", [tenant]);
        for (const seen of (await client.query(rows)).rows) expect({ name, seen }).toEqual({ name, seen: { tenant } });
        await client.query("COMMIT");
      }
    await client.end();
  });

  test("are all removed with the store", async () => {
    const own = server.options({ textPartitions: 3 });
    await (await openPgvectorStore(own)).close();
    await removePgvectorStore(own);
    expect(await server.execute("SELECT 1 FROM pg_namespace WHERE nspname = $1", [own.schema])).toEqual([]);
  });
});

test("a number of partitions that nobody can want is refused", async () => {
  const connectionString = "postgresql://user@localhost/database";
  for (const textPartitions of [0, 1.5, 257])
    await expect(openPgvectorStore({ connectionString, textPartitions })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "textPartitions",
    });
});
