import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ledger, memoriesFamily } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { migratePostgresLedger, openPostgresLedger } from "../src/index.ts";
import { setTimeout } from "node:timers/promises";
import { Connections } from "../src/connections.ts";
import { migrations } from "../src/migrations.ts";
import { SchemaWatch } from "../src/schema-watch.ts";
import { execute, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, tenant } from "./samples.ts";

describe.skipIf(missingNativePostgres() !== undefined)("the schema", () => {
  test("is made once by servers that start together", async () => {
    await using database = await openLedgerDatabase("native");
    const ledgers = await Promise.all(Array.from({ length: 5 }, () => database.open({ listen: false })));
    await Promise.all(ledgers.map((ledger, index) => ledger.commit(batchOf([index + 1]))));
    expect(await ledgers[0]?.head(tenant)).toBe(5);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(await execute(database.superuser, "SELECT version FROM loci.schema_steps ORDER BY version")).toEqual(
      migrations.map((_, index) => ({ version: index + 1 })),
    );
  });

  test("is migrated again while servers write, and nothing fails", async () => {
    await using database = await openLedgerDatabase("native");
    const ledger = await database.open({ listen: false });
    const stop = new AbortController();
    const writer = (async () => {
      let number = 0;
      while (!stop.signal.aborted) await ledger.commit(batchOf([++number]));
      return number;
    })();
    const serviceRole = new URL(database.service).username;
    for (let time = 0; time < 3; time++) await migratePostgresLedger({ connectionString: database.owner, serviceRole });
    stop.abort();
    const written = await writer;
    expect(written).toBeGreaterThan(0);
    expect(await ledger.head(tenant)).toBe(written);
    await ledger.close();
  });

  test("of the fourth version is brought to today's while its servers go on writing", async () => {
    await using database = await openLedgerDatabase("native");
    const role = new URL(database.service).username;
    const fixture = readFileSync(join(import.meta.dirname, "fixtures", "version-4.sql"), "utf8");
    const grants = `GRANT USAGE ON SCHEMA loci TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA loci TO ${role}`;
    await execute(database.owner, `CREATE SCHEMA loci; SET search_path = loci; ${fixture} ${grants}`);
    const stop = new AbortController();
    const writing = writeAsBefore(database.service, stop.signal);
    await migratePostgresLedger({ connectionString: database.owner, serviceRole: role });
    const before = await execute(database.superuser, "SELECT head FROM loci.tenants");
    await expect
      .poll(async () => (await execute(database.superuser, "SELECT head FROM loci.tenants"))[0]?.["head"])
      .not.toEqual(before[0]?.["head"]);
    stop.abort();
    const head = await writing;
    expect(await execute(database.superuser, "SELECT max(version) AS version FROM loci.schema_steps")).toEqual([
      { version: migrations.length },
    ]);
    const indexes = await execute(
      database.superuser,
      "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'loci.changes_by_family'::regclass",
    );
    expect(indexes).toEqual([{ valid: true }]);

    const ledger = await database.open({ ownerConnectionString: undefined, listen: false });
    const log = await ledger.changes(tenant, 0, 100_000, { families: [memoriesFamily] });
    expect(log.map(({ sequence }) => sequence)).toEqual(Array.from({ length: head }, (_, index) => index + 1));
    expect(log.every(({ author, reason }) => author === undefined && reason === undefined)).toBe(true);
    expect(log.slice(0, 8).map(({ kind }) => kind)).toEqual([
      "memoryWritten",
      "memoryWritten",
      "memoryWritten",
      "memoryRemoved",
      "memoryWritten",
      "embeddingRecorded",
      "memoryRemoved",
      "memoryRemoved",
    ]);
    expect((await ledger.versions(tenant, refNumber(2))).map(({ memory }) => memory.text)).toEqual([
      "memory 2",
      "edited",
      "edited",
    ]);
    const refs = [1, 5].map(refNumber);
    expect([...(await ledger.decisions(tenant, "reweigh", refs)).values()]).toEqual([
      { ref: refNumber(1), reason: "OFTEN_USED", details: { original: "0.4", importance: "0.5" } },
    ]);
    expect((await ledger.decisions(tenant, "expire", refs)).size).toBe(0);
    expect([...(await ledger.settings.list(tenant, "")).keys()]).toEqual(["job"]);
    expect((await ledger.commit(batchOf([7]))).sequence).toBe(head + 1);
    expect((await ledger.changes(tenant, head, 9))[0]?.author).toEqual({ subject: "local" });
    await expect(ledger.commit(batchOf([5]))).rejects.toMatchObject({ reason: "MEMORY_ERASED" });
    await ledger.close();
  });

  test("of the ninth version is brought to today's, and says all it said", async () => {
    await using database = await openLedgerDatabase("native");
    const fixture = readFileSync(join(import.meta.dirname, "fixtures", "version-9.sql"), "utf8");
    await execute(database.owner, `CREATE SCHEMA loci; SET search_path = loci; ${fixture}`);
    await using other = await openLedgerDatabase("native");
    await (await other.open({ listen: false })).close();
    const ledger = await database.open({ listen: false });
    const columns = `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
      WHERE table_schema = 'loci' ORDER BY 1, 2`;
    const indexes = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'loci' ORDER BY 1";
    for (const query of [columns, indexes])
      expect(await execute(database.superuser, query)).toEqual(await execute(other.superuser, query));
    const [kept] = (await ledger.resources.get(tenant, "notes", [refNumber(144)])).values();
    expect(kept).toMatchObject({ version: 1, group: "g", state: { title: "kept" } });
    expect((await ledger.changes(tenant, 8, 9)).map(({ family, reason }) => [family, reason])).toEqual([
      ["notes", "WRITTEN"],
    ]);
    expect((await ledger.decisions(tenant, "reweigh", [refNumber(1)])).size).toBe(1);
    expect((await ledger.commit(batchOf([7]))).sequence).toBe(10);
    const job = { id: "job", kind: "kind", request: "", keepMilliseconds: 1_000 };
    expect((await ledger.jobs.enqueue(tenant, job)).state).toBe("queued");
    await ledger.close();
  });

  test("is finished by whoever comes next, when somebody stopped behind an index that was not noted", async () => {
    await using database = await openLedgerDatabase("native");
    await (await database.open()).close();
    const withIndex = migrations.findIndex((step) => typeof step !== "string") + 1;
    const later = `DROP TABLE loci.decisions, loci.resources, loci.jobs, loci.checkpoints, loci.receipts; ALTER TABLE loci.memories DROP COLUMN key; ALTER TABLE loci.tenants DROP COLUMN columns_key, DROP COLUMN sealed_through; DROP POLICY encryption ON loci.settings; DELETE FROM loci.schema_steps WHERE version >= ${withIndex}`;
    await execute(
      database.superuser,
      `${later}; UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'loci.changes_by_family'::regclass`,
    );
    await Promise.all([1, 2].map(async () => (await database.open({ listen: false })).close()));
    const indexes = await execute(
      database.superuser,
      "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'loci.changes_by_family'::regclass",
    );
    expect(indexes).toEqual([{ valid: true }]);
    expect(await execute(database.superuser, "SELECT max(version) AS version FROM loci.schema_steps")).toEqual([
      { version: migrations.length },
    ]);
  });

  test("may have any plain name, and two in one database know nothing of each other", async () => {
    await using database = await openLedgerDatabase("native");
    const ledgers: Ledger[] = [];
    for (const schema of ["first_schema", "second_schema"]) ledgers.push(await database.open({ schema }));
    await ledgers[0]?.commit(batchOf([1]));
    expect(await ledgers[1]?.head(tenant)).toBe(0);
    expect((await ledgers[1]?.memories(tenant, [refNumber(1)]))?.size).toBe(0);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    for (const schema of ["a; DROP SCHEMA public", "A", "1a", "", 'a"', "a".repeat(64)])
      await expect(database.open({ schema })).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
  });

  test("that is missing, older or newer than this version is refused, with what to do", async () => {
    await using database = await openLedgerDatabase("native");
    const open = (): Promise<Ledger> => database.open({ ownerConnectionString: undefined });
    await expect(open()).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
    await (await database.open()).close();
    await execute(database.superuser, "INSERT INTO loci.schema_steps VALUES (99)");
    await expect(open()).rejects.toMatchObject({ reason: "DATA_DIRECTORY_TOO_NEW" });
    await expect(database.open()).rejects.toMatchObject({ reason: "DATA_DIRECTORY_TOO_NEW" });
    await execute(database.superuser, "DELETE FROM loci.schema_steps");
    await expect(open()).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      message: expect.stringContaining("version 0") as string,
    });
  });

  test("that a newer server migrates while it is in use serves on as far as it fits, and says why where it does not", async () => {
    await using database = await openLedgerDatabase("native");
    const ledger = await database.open({ listen: false });
    await ledger.commit(batchOf([1]));
    await execute(
      database.superuser,
      "INSERT INTO loci.schema_steps VALUES (99); ALTER TABLE loci.changes ADD new text",
    );
    await ledger.commit(batchOf([2]));
    expect(await ledger.head(tenant)).toBe(2);

    const known = migrations.length;
    const overtaken = {
      reason: "DATA_DIRECTORY_TOO_NEW",
      message: expect.stringMatching(
        new RegExp(
          `to version 99, and this server knows only up to ${known}. What it asked does not fit any more`,
          "u",
        ),
      ) as string,
      advice: "Start the newer version of Loci in place of this server.",
    };
    // As a step does that no older server may write beside.
    await execute(
      database.superuser,
      "UPDATE loci.changes SET new = ''; ALTER TABLE loci.changes ALTER new SET NOT NULL",
    );
    await expect(ledger.commit(batchOf([3]))).rejects.toMatchObject(overtaken);
    expect(await ledger.head(tenant)).toBe(2);
    await execute(database.superuser, "ALTER TABLE loci.changes RENAME record TO entry");
    await expect(ledger.changes(tenant, 0, 9)).rejects.toMatchObject(overtaken);
    await ledger.close();
  });

  test("that a newer server migrates is noticed by those that use it, once", async () => {
    await using database = await openLedgerDatabase("native");
    await (await database.open()).close();
    const connections = new Connections({
      pool: { connectionString: database.service },
      schema: "loci",
      role: undefined,
      where: "the database",
    });
    const told: unknown[] = [];
    const reportProblem = (error: unknown): void => void told.push(error);
    const watch = new SchemaWatch(connections, { schema: "loci", everyMilliseconds: 20, reportProblem });
    await setTimeout(100);
    expect(told).toEqual([]);
    await execute(database.superuser, "INSERT INTO loci.schema_steps VALUES (99)");
    await expect.poll(() => told.length).toBe(1);
    await setTimeout(100);
    expect(told).toMatchObject([
      { reason: "DATA_DIRECTORY_TOO_NEW", message: expect.stringContaining("cannot be started again") as string },
    ]);
    watch.stop();
    await connections.close(Promise.resolve());
  });

  test("is not migrated for a role that there is not", async () => {
    await using database = await openLedgerDatabase("native");
    const migrated = migratePostgresLedger({ connectionString: database.owner, serviceRole: "nobody_here" });
    await expect(migrated).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      message: expect.stringContaining("does not have the role") as string,
    });
  });

  test("is not served to a role that could see every tenant's rows", async () => {
    await using database = await openLedgerDatabase("native");
    await (await database.open()).close();
    const asSuperuser = { connectionString: database.superuser };
    await expect(openPostgresLedger(asSuperuser)).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "role",
    });
    const role = new URL(database.service).username;
    const ledger = await openPostgresLedger({ ...asSuperuser, role });
    expect(await ledger.head(tenant)).toBe(0);
    await ledger.close();
  });
});

/** Writes to the log as a server of the fourth version does, until it is told to stop. @returns the head */
async function writeAsBefore(service: string, stop: AbortSignal): Promise<number> {
  const client = new Client({ connectionString: service });
  await client.connect();
  await client.query("SET search_path = loci; SET loci.tenant = 'tenant'");
  let head = 8;
  while (!stop.aborted) {
    await client.query("BEGIN");
    await client.query("UPDATE tenants SET head = head + 1");
    await client.query(
      `INSERT INTO changes (tenant, recorded_at, sequence, type, ref, version, space, content_hash, record)
         VALUES ('tenant', 1800000000007, $1, 'embeddingRecorded', $2, 1, 'space', '', NULL)`,
      [++head, refNumber(4)],
    );
    await client.query("COMMIT");
  }
  await client.end();
  return head;
}
