import type { TenantId } from "@loci/domain";
import type { Idempotency, Ledger } from "@loci/ledger";
import { countStatements, missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Connections } from "../src/connections.ts";
import { statement } from "../src/statement.ts";
import { tables as listed } from "../src/tables.ts";
import { execute, type LedgerDatabase, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, sampleResource, tenant } from "./samples.ts";

const other = "other" as TenantId;

/** What PostgreSQL itself keeps apart, whatever a statement of ours forgets. */
describe.skipIf(missingNativePostgres() !== undefined)("row-level security", () => {
  let database: LedgerDatabase;
  let ledger: Ledger;
  let service: Client;
  let tables: readonly string[];

  beforeAll(async () => {
    database = await openLedgerDatabase("native");
    ledger = await database.open();
    for (const filled of [tenant, other]) await fill(ledger, filled);
    const rows = await execute(
      database.superuser,
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'loci'::regnamespace AND relkind = 'r' ORDER BY 1",
    );
    tables = rows.map(({ name }) => String(name)).filter((name) => name !== "schema_steps");
    service = new Client({ connectionString: database.service });
    await service.connect();
    await service.query("SET search_path = loci");
  });
  afterAll(async () => {
    await service.end();
    await ledger.close();
    await database.drop();
  });

  async function count(table: string): Promise<number> {
    const { rows } = await service.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`);
    return Number(rows[0]?.count);
  }

  async function expectNothingVisible(): Promise<void> {
    for (const table of tables) expect({ table, rows: await count(table) }).toEqual({ table, rows: 0 });
  }

  /** In a transaction that is set to a tenant, and then taken back. */
  async function as<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    await service.query("BEGIN");
    try {
      await service.query("SELECT set_config('loci.tenant', $1, true)", [name]);
      return await run();
    } finally {
      await service.query("ROLLBACK");
    }
  }

  test("holds for every table, also for its owner", async () => {
    const rows = await execute(
      database.superuser,
      `SELECT relname, pg_get_userbyid(relowner) AS owner FROM pg_class
         WHERE relnamespace = 'loci'::regnamespace AND relkind = 'r' AND relname <> 'schema_steps'
           AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
    expect(tables.length).toBeGreaterThan(12);
    for (const table of tables) {
      const [row] = await execute(database.superuser, `SELECT count(*)::int AS count FROM loci.${table}`);
      expect({ table, isFilled: Number(row?.["count"]) > 1 }).toEqual({ table, isFilled: true });
    }
    const owner = new Client({ connectionString: database.owner });
    await owner.connect();
    for (const table of tables) {
      const { rowCount } = await owner.query(`SELECT 1 FROM loci.${table}`);
      expect({ table, rowCount }).toEqual({ table, rowCount: 0 });
    }
    await owner.end();
  });

  test("keeps every table as it is listed, and no other", async () => {
    expect(tables).toEqual(listed.map(({ name }) => name).toSorted());
    const policies = await execute(
      database.superuser,
      "SELECT tablename, policyname, cmd FROM pg_policies WHERE schemaname = 'loci' ORDER BY 1, 2",
    );
    const found = (table: string): readonly unknown[] =>
      policies
        .filter(({ tablename }) => tablename === table)
        .map(({ policyname, cmd }) => `${String(policyname)} ${String(cmd)}`);
    const expected = {
      nothing: ["own_tenant ALL"],
      sees: ["every_tenant SELECT", "own_tenant ALL"],
      prunes: ["every_tenant SELECT", "every_tenant_removal DELETE", "own_tenant ALL"],
      deployment: ["deployment ALL", "encryption SELECT", "own_tenant ALL"],
      works: ["deployment ALL", "every_tenant SELECT", "every_tenant_removal DELETE", "own_tenant ALL"],
    };
    for (const { name, everyTenant } of listed)
      expect({ name, policies: found(name) }).toEqual({ name, policies: expected[everyTenant] });
  });

  test("and a purge of the tenant leaves in every table what the list says", async () => {
    const gone = "gone" as TenantId;
    await fill(ledger, gone);
    await ledger.purge(gone, { everything: true });
    const goes = listed.filter(
      ({ whenMemoriesArePurged, whenTenantIsPurged }) =>
        ["rows", "all"].includes(whenMemoriesArePurged) || whenTenantIsPurged === "all",
    );
    for (const { name } of [...goes, { name: "resources" }]) {
      const rows = await execute(database.superuser, `SELECT 1 FROM loci.${name} WHERE tenant = 'gone'`);
      expect({ name, rows }).toEqual({ name, rows: [] });
    }
  });

  test("shows no row while no tenant is set, and takes none", async () => {
    await expectNothingVisible();
    for (const table of tables) {
      const { rowCount } = await service.query(`DELETE FROM ${table}`);
      expect({ table, rowCount }).toEqual({ table, rowCount: 0 });
    }
    await expect(service.query("INSERT INTO purged VALUES ('tenant', 'r', 0)")).rejects.toMatchObject({
      code: "42501",
    });
    await expect(service.query("INSERT INTO purged VALUES ('', 'r', 0)")).rejects.toMatchObject({ code: "42501" });
  });

  test("shows a tenant its own rows, and lets it write no other's", async () => {
    for (const table of tables) {
      const all = await as(tenant, () => service.query<{ tenant: string }>(`SELECT tenant FROM ${table}`));
      const tenants = [...new Set(all.rows.map((row) => row.tenant))];
      expect({ table, tenants }).toEqual({ table, tenants: [tenant] });
    }
    const steal = as(tenant, () => service.query("UPDATE memories SET tenant = 'other'"));
    await expect(steal).rejects.toMatchObject({ code: "42501" });
    expect((await as(tenant, () => service.query("DELETE FROM memories WHERE tenant = 'other'"))).rowCount).toBe(0);
  });

  test("shows jobs for every tenant no memory, vector or setting", async () => {
    await service.query("BEGIN");
    await service.query("SELECT set_config('loci.every_tenant', 'on', true)");
    const visible: string[] = [];
    for (const table of tables) if ((await count(table)) > 0) visible.push(table);
    await service.query("ROLLBACK");
    const seen = [
      "embedding_cache",
      "jobs",
      "projections",
      "recall_marks",
      "receipts",
      "requests",
      "settings",
      "tenants",
    ];
    expect(visible).toEqual(seen);
    // Of settings only those of the deployment, and of jobs only those can be changed.
    await service.query("BEGIN");
    await service.query("SELECT set_config('loci.every_tenant', 'on', true)");
    expect((await service.query("SELECT DISTINCT tenant FROM settings")).rows).toEqual([{ tenant: "" }]);
    const changed = await service.query("UPDATE jobs SET state = 'running' RETURNING tenant");
    expect(changed.rows).toEqual([{ tenant: "" }]);
    await service.query("ROLLBACK");
  });

  test("nothing of a tenant is left on a connection, whatever ended the transaction", async () => {
    const ends: readonly (() => Promise<unknown>)[] = [
      () => service.query("COMMIT"),
      () => service.query("ROLLBACK"),
      async () => {
        await expect(service.query("SELECT 1 / 0")).rejects.toThrow("division by zero");
        await service.query("COMMIT");
      },
    ];
    for (const end of ends) {
      await service.query("BEGIN");
      await service.query("SELECT set_config('loci.tenant', 'tenant', true)");
      expect(await count("memories")).toBe(1);
      await end();
      await expectNothingVisible();
    }
  });

  test("a pool of one connection gives each tenant its own, also after errors and cancelled calls", async () => {
    const narrow = await database.open({ maxConnections: 1, listen: false });
    const failing: readonly [() => Promise<unknown>, string][] = [
      [() => narrow.commit(batchOf([1])), "version 1"],
      [() => narrow.recordUsage("a\0" as TenantId, [{ ref: refNumber(1), at: 0 }]), "U+0000"],
      [() => narrow.memories(tenant, [refNumber(1)], { signal: AbortSignal.abort() }), "cancelled"],
      [() => narrow.changes(tenant, 0, -1), "refused a statement"],
    ];
    for (const [fail, reason] of failing) {
      await expect(fail()).rejects.toThrow(reason);
      expect(await narrow.head("nobody" as TenantId)).toBe(0);
      expect((await narrow.memories("nobody" as TenantId, [refNumber(1)])).size).toBe(0);
      expect((await narrow.memories(other, [refNumber(1)])).get(refNumber(1))?.memory.text).toBe("memory 1");
    }
    await narrow.close();
  });

  test("and so does a session that stays set to a tenant, whoever takes turns and whoever has set it", async () => {
    const connections = new Connections({
      pool: { connectionString: database.service, max: 1 },
      schema: "loci",
      role: undefined,
      where: "the test's database",
      ownSessions: true,
    });
    // Without a condition: only row-level security keeps them apart.
    const all = statement<{ readonly tenant: string }>(
      "SELECT DISTINCT tenant FROM memories WHERE $1::text IS NOT NULL",
    );
    const tenantsOf = async (reader: TenantId): Promise<readonly string[]> => {
      const read = (): Promise<readonly { readonly tenant: string }[]> =>
        connections.read({ tenant: reader }, all, [reader]);
      // Two in one turn are one statement.
      const [one, same] = await Promise.all([read(), read()]);
      expect(same).toEqual(one);
      return one.map((row) => row.tenant);
    };
    const nobody = "nobody" as TenantId;
    const inTurns = async (): Promise<void> => {
      for (const reader of [tenant, other, other, tenant]) expect(await tenantsOf(reader)).toEqual([reader]);
      expect(await tenantsOf(nobody)).toEqual([]);
      expect(await Promise.all([tenant, other, tenant].map(tenantsOf))).toEqual([[tenant], [other], [tenant]]);
      const broken = connections.read({ tenant: other }, statement("SELECT 1 / $1::integer"), [0]);
      await expect(broken).rejects.toThrow("refused a statement");
    };
    await tenantsOf(other);
    const { statements } = await countStatements(async () => {
      await tenantsOf(tenant);
      await tenantsOf(tenant);
    });
    // The settings once, and then one for each two that were asked together.
    expect(statements.length).toBe(3);
    await inTurns();
    // What a pooler between us and the server would do: the session is somebody else's by now.
    expect(await tenantsOf(tenant)).toEqual([tenant]);
    await connections.transaction({ tenant }, async (send) => {
      await send(statement("SELECT set_config('loci.tenant', $1, false)"), [other]);
    });
    expect(await tenantsOf(tenant)).toEqual([tenant]);
    await inTurns();
    await connections.close(Promise.resolve());
  });
});

/** At least one row of the tenant in every table. */
async function fill(ledger: Ledger, filled: TenantId): Promise<void> {
  const requestOf = (requestId: string): Idempotency => ({ method: "m", requestId, bodyHash: "b" });
  await ledger.commit(batchOf([1, 2], { idempotency: requestOf("1") }, filled));
  await ledger.purge(filled, { refs: [refNumber(2)] });
  await ledger.commit(batchOf([3], { idempotency: requestOf("2") }, filled));
  await ledger.purge(filled, { refs: [refNumber(3)] });
  await ledger.commit(batchOf([], { idempotency: requestOf("3") }, filled));
  const decisions = [{ ref: refNumber(1), reason: "EXPIRED", details: {} }];
  await ledger.commit(batchOf([], { author: { activity: "expire" }, decisions }, filled));
  await ledger.commit(batchOf([], { changes: [sampleResource(9)] }, filled));
  await ledger.recordUsage(filled, [{ ref: refNumber(1), at: 1 }]);
  await ledger.recordShown(filled, [refNumber(1)]);
  await ledger.modelUsage.add(filled, { model: "m", inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 });
  await ledger.recallMarks.record(filled, [
    { owner: "o", session: "s", refs: [refNumber(1)], at: 1, keepMilliseconds: 1_000_000 },
  ]);
  const receipt = { id: refNumber(3), summary: "s", body: Uint8Array.of(1), refs: [refNumber(1)], scopes: [] };
  await ledger.receipts.record(filled, [{ ...receipt, keepMilliseconds: 1_000_000 }], 10);
  await ledger.checkpoints.add(filled, { ref: refNumber(9), reading: "words" }, [
    { through: 1, outline: "o", state: "s" },
  ]);
  await ledger.embeddingCache.set(filled, new Map([["key", Float32Array.of(1)]]));
  await ledger.settings.set(filled, "name", "value");
  await ledger.settings.set(undefined, "name", "value");
  await ledger.lease(filled, "projection");
  for (const owner of [filled, undefined])
    await ledger.jobs.enqueue(owner, { id: "job", kind: "kind", request: "", keepMilliseconds: 1_000 });
}
