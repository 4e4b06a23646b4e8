import { openPgvectorStore, type PgvectorStoreOptions } from "@loci/store-pgvector";
import type { Filter, TenantId } from "@loci/domain";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Connections, type ConnectionsOptions } from "../src/postgres/connections.ts";
import { acme, alice, other, row } from "./samples.ts";
import { TestServer } from "./test-store.ts";

// Of PGlite's one connection nobody knows what it keeps from others.
describe.skipIf(missingNativePostgres() !== undefined)("statements that a connection keeps", () => {
  let server: TestServer;
  let options: PgvectorStoreOptions & Omit<ConnectionsOptions, "connectionString">;
  /** Of one connection: whatever runs on it is seen by the next. */
  let connections: Connections;

  beforeAll(async () => {
    server = await TestServer.start("native");
    options = { ...server.options(), schema: "prepared", maxConnections: 1, connectTimeout: 20_000 };
    connections = new Connections(options);
  });
  afterAll(async () => {
    await connections.close();
    await server.database.drop();
  });

  const run = (text: string, value: unknown, tenant: TenantId = acme): Promise<readonly object[]> =>
    connections.reader(tenant, undefined).query(text, [value]);
  const kept = (pattern: string): Promise<readonly object[]> =>
    connections.transaction(undefined, undefined, (transaction) =>
      transaction.query(
        "SELECT generic_plans::integer AS generic, custom_plans::integer AS custom FROM pg_prepared_statements WHERE statement LIKE $1",
        [pattern],
      ),
    );

  test("are planned once, for all values, and see the rows of whoever asks", async () => {
    const text = "SELECT current_setting('loci.tenant') AS own, $1::text AS asked, 'planned once'";
    for (const tenant of [acme, other, acme])
      expect(await run(text, tenant, tenant)).toMatchObject([{ own: tenant, asked: tenant }]);
    expect(await kept("%planned once%")).toMatchObject([{ generic: 3, custom: 0 }]);
  });

  test("work after they have failed, the first time and later", async () => {
    const text = "SELECT 1 / $1::integer AS part";
    const divided = { details: { sqlState: "22012" } };
    await expect(run(text, 0)).rejects.toMatchObject(divided);
    expect(await run(text, 1)).toEqual([{ part: 1 }]);
    await expect(run(text, 0)).rejects.toMatchObject(divided);
    expect(await run(text, 1)).toEqual([{ part: 1 }]);
    await expect(run("SELECT nothing FROM nowhere WHERE $1", true)).rejects.toMatchObject({
      details: { sqlState: "42P01" },
    });
  });

  test("are not more than a connection can bear, whatever forms of filters there are", async () => {
    for (let form = 0; form < 80; form++)
      expect(await run(`SELECT ${form} AS form, $1::integer AS value, 'many forms'`, 1)).toMatchObject([{ form }]);
    const { length } = await kept("%many forms%");
    expect(length).toBeGreaterThan(40);
    expect(length).toBeLessThanOrEqual(64);
  });

  test("are sent without a name from then on where something between here and the server loses them", async () => {
    const own = new Connections(options);
    const text = "SELECT $1::integer AS value, 'lost'";
    const read = (): Promise<readonly object[]> => own.reader(acme, undefined).query(text, [5]);
    await read();
    await own.transaction(undefined, undefined, (transaction) => transaction.query("DEALLOCATE ALL"));
    expect(await read()).toMatchObject([{ value: 5 }]);
    expect(await read()).toMatchObject([{ value: 5 }]);
    const left = await own.transaction(undefined, undefined, (transaction) =>
      transaction.query("SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '%lost%'"),
    );
    expect(left).toEqual([]);
    await own.close();
  });

  test("find a tenant's own words after another tenant's, with one statement a search", async () => {
    const store = await openPgvectorStore(options);
    const own = { [acme]: row(1), [other]: row(2) };
    for (const tenant of [acme, other]) await store.textIndex.apply(tenant, [own[tenant] as ReturnType<typeof row>], 1);
    const where: Filter = { field: "category", operator: "notEquals", value: "fact" };
    const statistics = { documents: 1, totalLength: 1, documentFrequencies: [1] };
    for (const filter of [undefined, { not: where }])
      for (const tenant of [acme, other, acme]) {
        const request = { tenant, scopes: [alice], terms: ["word"], limit: 3, statistics, where: filter } as const;
        const sent = vi.spyOn(Client.prototype, "query");
        const found = await store.textIndex.search(request);
        expect(sent).toHaveBeenCalledTimes(1);
        sent.mockRestore();
        expect(found.map(({ ref }) => ref)).toEqual([own[tenant]?.ref]);
      }
    await store.close();
  });
});
