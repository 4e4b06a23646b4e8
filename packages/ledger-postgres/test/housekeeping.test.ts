import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { startProgram } from "./child-process.ts";
import { execute, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, sampleMemory, tenant, written } from "./samples.ts";

const dayMilliseconds = 86_400_000;

/** A file's bytes; none of one that is gone. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

describe.skipIf(missingNativePostgres() !== undefined)("housekeeping", () => {
  test("a program that has nothing else to do hears that its ledger is closed", async () => {
    await using database = await openLedgerDatabase("native");
    await (await database.open()).close();
    const program = startProgram("listen-and-close.ts", { ...database.options, ownerConnectionString: undefined });
    await program.printed(1);
    expect(program.lines).toEqual(["closed"]);
  });

  test("removes what need not be kept any more, of every tenant, and nothing else", async () => {
    await using database = await openLedgerDatabase("native");
    let now = 1_800_000_000_000;
    const ledger = await database.open({ clock: () => now, embeddingCacheRows: 3 });
    const idempotency = { method: "m", requestId: "old", bodyHash: "b" };
    await ledger.commit(batchOf([1], { idempotency }));
    await ledger.lease(tenant, "gone");
    for (let key = 0; key < 10; key++)
      await ledger.embeddingCache.set(tenant, new Map([[`key ${key}`, Float32Array.of(key)]]));
    now += 8 * dayMilliseconds;
    await ledger.commit(batchOf([2], { idempotency: { ...idempotency, requestId: "new" } }));
    await ledger.lease(tenant, "kept");
    now += 23 * dayMilliseconds;
    await ledger.commit(batchOf([3], { idempotency: { ...idempotency, requestId: "newest" } }));
    await ledger.maintain({ scrub: false });
    const left = async (column: string, table: string): Promise<unknown[]> =>
      (await execute(database.superuser, `SELECT ${column} AS name FROM loci.${table} ORDER BY 1`)).map(
        ({ name }) => name,
      );
    expect(await left("request_id", "requests")).toEqual(["newest"]);
    expect(await left("projection", "projections")).toEqual(["kept"]);
    expect(await left("key", "embedding_cache")).toEqual(["key 7", "key 8", "key 9"]);
    expect(await ledger.count(tenant)).toBe(3);
    await ledger.close();
  });

  test("with the owner's help overwrites what was purged, and says what it cannot reach", async () => {
    await using database = await openLedgerDatabase("native");
    const ledger = await database.open();
    const canary = "canary-b7d1c5f0";
    const secret = written(sampleMemory(1, { text: canary.repeat(20), tags: [canary] }));
    await ledger.commit(batchOf([2], { changes: [secret, written(sampleMemory(2))] }));
    const holding = async (): Promise<string[]> => {
      await execute(database.superuser, "CHECKPOINT");
      const [row] = await execute(
        database.superuser,
        `SELECT current_setting('data_directory') AS data,
           (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS folder`,
      );
      const folder = join(String(row?.["data"]), "base", String(row?.["folder"]));
      // The database removes and writes files meanwhile.
      return readdirSync(folder).filter((file) => readIfThere(join(folder, file)).includes(canary));
    };
    expect((await holding()).length).toBeGreaterThan(0);
    // Whoever began before the deletion may still read the rows: their files cannot be overwritten, and that is said.
    const reader = new Client({ connectionString: database.superuser });
    await reader.connect();
    await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await reader.query("SELECT 1");
    await ledger.purge(tenant, { refs: [refNumber(1)] });
    const { unproven } = await ledger.maintain({ scrub: true });
    expect(unproven).toEqual([
      expect.stringContaining("deleted rows are still there"),
      expect.stringContaining("write-ahead log"),
    ]);
    expect((await holding()).length).toBeGreaterThan(0);
    await reader.query("COMMIT");
    await reader.end();

    // So does PostgreSQL's own upkeep for a moment, and any other that comes in between.
    const cleaned = async (): Promise<readonly string[]> => (await ledger.maintain({ scrub: true })).unproven;
    await expect.poll(cleaned).toEqual([expect.stringContaining("write-ahead log")]);
    expect(await holding()).toEqual([]);
    await ledger.close();

    const service = await database.open({ ownerConnectionString: undefined });
    expect((await service.maintain({ scrub: true })).unproven).toHaveLength(2);
    await service.close();
  });
});
