import type { TenantId } from "@loci/domain";
import { tenantId } from "@loci/domain";
import { missingNativePostgres } from "@loci/test-postgres";
import { openPgvectorStore, type PgvectorStoreOptions } from "@loci/store-pgvector";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Connections } from "../src/postgres/connections.ts";
import { acme, alice, axis, listed, main, other, refNumber, row, spaceOf } from "./samples.ts";
import { TestServer } from "./test-store.ts";

// PGlite has one role, which row-level security does not hold for.
const isMissing = missingNativePostgres() !== undefined;

const textTables = ["texts", "text_divisions", "text_postings", "text_terms", "text_checkpoints", "text_recent"];
const tables = ["vectors_1", "vectors_1_checkpoints", "vectors_1_recent", ...textTables];

describe.skipIf(isMissing)("a role that row-level security holds for", () => {
  let server: TestServer;
  let made: PgvectorStoreOptions;
  /** The same schema, as a role that may neither create anything nor look past the policies. */
  let limited: PgvectorStoreOptions;

  beforeAll(async () => {
    server = await TestServer.start("native");
    made = server.options();
    const store = await openPgvectorStore(made);
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    for (const tenant of [acme, other])
      for (const projection of [collection, store.textIndex]) await projection.apply(tenant, [row(1), row(2)], 2);
    await store.close();
    // So few texts have no postings yet.
    for (const tenant of [acme, other])
      await server.execute(
        `INSERT INTO "${made.schema}".text_postings VALUES ($1, 99, 1, 'word', 0, '{word}', '{1}', '{1}', '{65537}')`,
        [tenant],
      );
    const role = `limited_${new URL(made.connectionString).pathname.slice(1)}`;
    await server.execute(`CREATE ROLE ${role} LOGIN PASSWORD 'only for this test'`);
    await server.execute(`GRANT USAGE ON SCHEMA "${made.schema}" TO ${role}`);
    await server.execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${made.schema}" TO ${role}`);
    const url = new URL(made.connectionString);
    url.username = role;
    url.password = "only for this test";
    limited = { ...made, connectionString: url.href };
  });
  afterAll(async () => {
    const role = new URL(limited.connectionString).username;
    await server.execute(`DROP OWNED BY ${role}`);
    await server.execute(`DROP ROLE ${role}`);
    await server.database.drop();
  });

  async function asRole(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ connectionString: limited.connectionString });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }

  test("can do all that a store does", async () => {
    const store = await openPgvectorStore(limited);
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    for (const projection of [collection, store.textIndex]) {
      await projection.apply(acme, [row(3), { type: "delete", ref: row(1).ref, version: 2 }], 4);
      // The page that was planted has words of nobody.
      const planted = projection === store.textIndex ? [refNumber(0x63_0000_0001)] : [];
      expect((await listed(projection, acme)).map(({ ref }) => ref)).toEqual([row(2).ref, row(3).ref, ...planted]);
      expect(await projection.checkpoint(other)).toBe(2);
    }
    const found = await collection.search({ tenant: acme, scopes: [alice], vectors: [axis(0, 8)], limit: 9 });
    expect(found.map(({ ref }) => ref)).toEqual([row(2).ref, row(3).ref]);
    expect(await store.textIndex.statistics(acme, ["word"])).toEqual({
      checkpoint: await store.textIndex.checkpoint(acme),
      documents: 2,
      totalLength: 2,
      documentFrequencies: [2],
    });
    await store.close();
  });

  test("sees nothing without a tenant, and with one only what is its own", async () => {
    await asRole(async (client) => {
      for (const table of tables) {
        const name = `"${limited.schema}".${table}`;
        const { rowCount: seen } = await client.query(`SELECT 1 FROM ${name}`);
        await client.query("BEGIN");
        await client.query("SELECT set_config('loci.tenant', 'acme', true)");
        const { rows } = await client.query<{ tenant: string }>(`SELECT DISTINCT tenant FROM ${name}`);

        await client.query("COMMIT");
        const { rowCount: deleted } = await client.query(`DELETE FROM ${name}`);
        expect({ table, seen, rows, deleted }).toEqual({ table, seen: 0, rows: [{ tenant: "acme" }], deleted: 0 });
      }
    });
  });

  test("is held by policies that no table with a tenant lacks, and that hold for the owner too", async () => {
    const found = await server.execute(
      `SELECT relname, relrowsecurity AND relforcerowsecurity AS forced FROM pg_class
      JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'tenant'
      WHERE relnamespace = $1::regnamespace AND relkind = 'r'`,
      [made.schema],
    );
    expect(new Set(found.map(({ relname }) => relname))).toEqual(new Set(tables));
    expect(found.filter(({ forced }) => forced !== true)).toEqual([]);
  });

  test("cannot write into another tenant", async () => {
    await asRole(async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT set_config('loci.tenant', 'acme', true)");
      const planted = client.query(
        `INSERT INTO "${limited.schema}".text_terms VALUES ('acme-corp', 'planted', ' planted ')`,
      );
      await expect(planted).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("meets nothing of a call that failed on the same connection", async () => {
    const connections = new Connections({
      ...limited,
      schema: "loci_indexes",
      maxConnections: 1,
      connectTimeout: 20_000,
    });
    const texts = `SELECT tenant FROM "${limited.schema}".texts`;
    const failing = connections.transaction(acme, undefined, async (transaction) => {
      expect(await transaction.query(texts)).not.toEqual([]);
      await transaction.query("SELECT 1 / 0");
    });
    await expect(failing).rejects.toMatchObject({ reason: "INTERNAL" });
    expect(await connections.transaction(undefined, undefined, (transaction) => transaction.query(texts))).toEqual([]);
    const rows = await connections.transaction(other, undefined, (transaction) => transaction.query(texts));
    expect(rows).toEqual([{ tenant: "acme-corp" }, { tenant: "acme-corp" }]);
    await connections.close();
  });

  test("meets nothing of the statement that was read before on the same connection", async () => {
    const connections = new Connections({
      ...limited,
      schema: "loci_indexes",
      maxConnections: 1,
      connectTimeout: 20_000,
    });
    const texts = `SELECT tenant, $1::text AS asked FROM "${limited.schema}".texts`;
    const own = await connections.reader(acme, undefined).query(texts, ["it"]);
    expect(own).toEqual(own.map(() => ({ tenant: "acme", asked: "it" })));
    expect(own).not.toEqual([]);
    const failing = connections.reader(acme, undefined).query("SELECT 1 / $1::integer", [0]);
    await expect(failing).rejects.toMatchObject({ reason: "INTERNAL", details: { sqlState: "22012" } });
    // Neither the tenant nor any other setting outlives its statement, whether that worked or not.
    const left = await connections.transaction(undefined, undefined, (transaction) => transaction.query(texts, ["it"]));
    expect(left).toEqual([]);
    const found = await connections.reader(other, undefined, { "loci.test": "on" }).query(texts, ["it"]);
    expect(new Set(found.map(({ tenant }) => tenant))).toEqual(new Set(["acme-corp"]));
    const settings = await connections
      .reader(other, undefined)
      .query("SELECT current_setting($1, true) AS own, current_setting('jit') AS usual", ["loci.test"]);
    expect(settings).toEqual([{ own: "", usual: "off" }]);
    await connections.close();
  });

  test("meets nothing of other tenants that take turns on the same connection, also where sessions are handed out", async () => {
    const connections = new Connections({
      ...limited,
      schema: "loci_indexes",
      maxConnections: 1,
      connectTimeout: 20_000,
    });
    const texts = `SELECT DISTINCT tenant FROM "${limited.schema}".texts WHERE $1 = $1`;
    const tenantsOf = async (tenant: TenantId): Promise<readonly unknown[]> => {
      const read = (): Promise<readonly { readonly tenant?: unknown }[]> =>
        connections.reader(tenant, undefined).query(texts, [1]);
      // Two in one turn are one statement.
      const [one, same] = await Promise.all([read(), read()]);
      expect(same).toEqual(one);
      return one.map((found) => found.tenant);
    };
    const both = async (): Promise<void> => {
      for (const tenant of [acme, other, other, acme, acme, other]) expect(await tenantsOf(tenant)).toEqual([tenant]);
      const together = await Promise.all([acme, other, acme].map(tenantsOf));
      expect(together).toEqual([[acme], [other], [acme]]);
    };
    await both();
    // What a pooler between us and the server would do: the session is somebody else's by now.
    expect(await tenantsOf(acme)).toEqual([acme]);
    await connections.transaction(acme, undefined, (transaction) =>
      transaction.query("SELECT set_config('loci.tenant', $1, false)", [other]),
    );
    expect(await tenantsOf(acme)).toEqual([acme]);
    await both();
    await connections.close();
  });

  test("is told what to do where it may not create a collection", async () => {
    const store = await openPgvectorStore(limited);
    const opening = store.vectorStore.openCollection("second" as typeof main, spaceOf(8));
    await expect(opening).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", details: { sqlState: "42501" } });
    await store.close();
  });

  test("does without notes of changes where it may not use their tables", async () => {
    for (const table of ["text_recent", "vectors_1_recent"])
      await server.execute(
        `REVOKE ALL ON "${made.schema}".${table} FROM ${new URL(limited.connectionString).username}`,
      );
    const third = tenantId("third");
    const store = await openPgvectorStore({ ...limited, keepingPatience: 0 });
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    for (const projection of [collection, store.textIndex]) await projection.apply(third, [row(1), row(2), row(3)], 3);
    const request = { tenant: third, scopes: [alice], limit: 9 } as const;
    const statistics = { documents: 3, totalLength: 3, documentFrequencies: [3] };
    for (let search = 0; search < 3; search++) {
      expect(await store.textIndex.search({ ...request, terms: ["word"], statistics })).toHaveLength(3);
      expect(await collection.search({ ...request, vectors: [axis(0, 8)], bounds: true })).toHaveLength(3);
    }
    for (const projection of [collection, store.textIndex]) await projection.reset?.(third);
    await store.close();
    for (const table of ["text_recent", "vectors_1_recent"])
      await server.execute(`GRANT ALL ON "${made.schema}".${table} TO ${new URL(limited.connectionString).username}`);
  });
});
