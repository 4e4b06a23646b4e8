import type { Ledger } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { describe, expect, test } from "vitest";
import { migratePostgresLedger, openPostgresLedger } from "../src/index.ts";
import { migrations } from "../src/migrations.ts";
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
