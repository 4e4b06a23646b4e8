import { setTimeout } from "node:timers/promises";
import { LociError } from "@loci/domain";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client, DatabaseError } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toLociError } from "../src/postgres-error.ts";
import { execute, type LedgerDatabase, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, sampleMemory, tenant, written } from "./samples.ts";
import { startTcpProxy } from "./tcp-proxy.ts";

test.each([
  ["53100", "DISK_FULL"],
  ["53300", "STORE_UNAVAILABLE"],
  ["57P01", "STORE_UNAVAILABLE"],
  ["08006", "STORE_UNAVAILABLE"],
  ["25006", "STORE_UNAVAILABLE"],
  ["25P03", "STORE_UNAVAILABLE"],
  ["40P01", "STORE_UNAVAILABLE"],
  ["28P01", "INVALID_CONFIGURATION"],
  ["42501", "INVALID_CONFIGURATION"],
  ["22021", "INVALID_TEXT"],
  ["XX000", "INTERNAL"],
])("SQLSTATE %s becomes %s, and nothing of a row is repeated", (code, reason) => {
  const error = new DatabaseError('invalid input: "a secret memory"', 1, "error");
  Object.assign(error, { code, detail: "Key (text)=(a secret memory) already exists." });
  const translated = toLociError(error, "PostgreSQL at somewhere");
  expect(translated.reason).toBe(reason);
  expect(JSON.stringify([translated.toJSON(), String(translated.cause)])).not.toContain("secret");
});

test.each([new RangeError("Invalid array length"), new SyntaxError("Unexpected token"), new TypeError("no text")])(
  "%s is a fault of the program, and no connection was lost",
  (error) => {
    expect(toLociError(error, "PostgreSQL at somewhere").reason).toBe("INTERNAL");
    expect(toLociError(error, "PostgreSQL at somewhere", true).reason).toBe("INTERNAL");
  },
);

describe.skipIf(missingNativePostgres() !== undefined)("a server that fails", () => {
  let database: LedgerDatabase;
  beforeAll(async () => {
    database = await openLedgerDatabase("native");
    await (await database.open()).close();
  });
  afterAll(() => database.drop());

  async function refused(call: () => Promise<unknown>): Promise<LociError> {
    try {
      await call();
    } catch (error) {
      if (LociError.is(error)) return error;
      throw error;
    }
    throw new Error("It was not refused.");
  }

  test("that is not there, or refuses, is reported without the password", async () => {
    const wrong = new URL(database.service);
    wrong.password = "wrong-password";
    const unmade = new URL(database.service);
    unmade.pathname = "/unmade";
    const absent = database.open({ connectionString: unmade.href, ownerConnectionString: undefined });
    expect((await refused(() => absent)).message).toMatch(/, database unmade does not exist \(SQLSTATE 3D000\)/);
    const nowhere = new URL(database.service);
    nowhere.port = "1";
    for (const [url, reason] of [
      [wrong.href, "INVALID_CONFIGURATION"],
      [nowhere.href, "STORE_UNAVAILABLE"],
      ["postgresql://user:secret@[", "INVALID_CONFIGURATION"],
    ] as const) {
      const error = await refused(() => database.open({ connectionString: url, ownerConnectionString: undefined }));
      expect(error.reason).toBe(reason);
      expect(JSON.stringify([error.toJSON(), String(error.cause)])).not.toMatch(/wrong-password|secret/);
    }
  });

  test("that goes away is unavailable, and is used again once it is back", async () => {
    await using proxy = await startTcpProxy(Number(new URL(database.service).port));
    const url = new URL(database.service);
    url.port = String(proxy.port);
    const problems: string[] = [];
    const ledger = await database.open({
      connectionString: url.href,
      pollMilliseconds: 100,
      reportProblem: (_error, activity) => problems.push(activity),
    });
    const heads: number[] = [];
    ledger.onCommitted((_tenant, head) => heads.push(head));
    await ledger.commit(batchOf([1]));
    await proxy.cut();
    expect((await refused(() => ledger.head(tenant))).code).toBe("UNAVAILABLE");
    expect((await refused(() => ledger.commit(batchOf([2])))).code).toBe("UNAVAILABLE");
    await setTimeout(300);
    await proxy.restore();
    expect((await ledger.commit(batchOf([2]))).sequence).toBe(2);
    const other = await database.open();
    await other.commit(batchOf([3]));
    await expect.poll(() => heads).toContain(3);
    await other.close();
    await ledger.close();
  });

  test("ends a connection that waits for the log: the batch is written once, on another", async () => {
    const ledger = await database.open({ listen: false });
    const before = await ledger.head(tenant);
    const locker = new Client({ connectionString: database.superuser });
    await locker.connect();
    await locker.query("BEGIN; SELECT 1 FROM loci.tenants FOR UPDATE");
    const writing = ledger.commit(batchOf([50]));
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(() => execute(database.superuser, waiting)).toHaveLength(1);
    await execute(database.superuser, waiting.replace("SELECT pid", "SELECT pg_terminate_backend(pid)"));
    await locker.query("COMMIT");
    await locker.end();
    expect((await writing).sequence).toBe(before + 1);
    expect(await ledger.head(tenant)).toBe(before + 1);
    await ledger.close();
  });

  test("stops what a cancelled call or a deadline has left running", async () => {
    const ledger = await database.open({ listen: false, maxConnections: 2 });
    const locker = new Client({ connectionString: database.superuser });
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE loci.memories IN ACCESS EXCLUSIVE MODE");
    const running =
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%AS wanted (ref, known)%' AND pid <> pg_backend_pid() AND state = 'active' AND datname = current_database()";
    const controller = new AbortController();
    const cancelled = refused(() => ledger.memories(tenant, [refNumber(1)], { signal: controller.signal }));
    await expect.poll(() => execute(database.superuser, running)).toHaveLength(1);
    // Both end while the table is locked.
    controller.abort();
    expect((await cancelled).reason).toBe("CANCELLED");
    const late = await refused(() => ledger.memories(tenant, [refNumber(1)], { deadline: Date.now() + 100 }));
    expect(late.reason).toBe("DEADLINE_EXCEEDED");
    await expect.poll(() => execute(database.superuser, running)).toHaveLength(0);
    await locker.query("COMMIT");
    await locker.end();
    expect((await ledger.memories(tenant, [refNumber(1)])).size).toBe(1);
    await ledger.close();
  });

  test("a batch that cannot be written down fails for itself", async () => {
    const ledger = await database.open({ listen: false });
    const unwritable = written(sampleMemory(201, { metadata: { count: 1n as unknown as number } }));
    const outcomes = await Promise.allSettled([
      ledger.commit(batchOf([200])),
      ledger.commit(batchOf([], { changes: [unwritable] })),
      ledger.commit(batchOf([202])),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await ledger.close();
  });

  test("upkeep ends with its call, also while it waits for a table", async () => {
    const ledger = await database.open({ listen: false });
    const locker = new Client({ connectionString: database.superuser });
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE loci.memories IN ACCESS EXCLUSIVE MODE");
    const running =
      "SELECT 1 FROM pg_stat_activity WHERE usename LIKE 'owner%' AND wait_event_type = 'Lock' AND datname = current_database()";
    const controller = new AbortController();
    const cancelled = refused(() => ledger.maintain({ scrub: false }, { signal: controller.signal }));
    await expect.poll(() => execute(database.superuser, running)).toHaveLength(1);
    controller.abort();
    expect((await cancelled).reason).toBe("CANCELLED");
    await expect.poll(() => execute(database.superuser, running)).toHaveLength(0);
    await locker.query("COMMIT");
    await locker.end();
    await ledger.close();
  });

  test("never has more connections than it was told, whatever is asked at once", async () => {
    const connected = (): Promise<readonly unknown[]> =>
      execute(
        database.superuser,
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'loci' AND datname = current_database()",
      );
    // Those of ledgers that were closed may take a moment to go.
    await expect.poll(connected).toHaveLength(0);
    const ledger = await database.open({ listen: false, maxConnections: 3 });
    let most = 0;
    const look = async (): Promise<void> => {
      most = Math.max(most, (await connected()).length);
    };
    await Promise.all([
      ...Array.from({ length: 300 }, () => ledger.changes(tenant, 0, 10)),
      ...Array.from({ length: 20 }, look),
    ]);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(3);
    await ledger.close();
  });

  test("one batch with a character that cannot be stored fails alone", async () => {
    const ledger = await database.open({ listen: false });
    const bad = batchOf([101], { idempotency: { method: "m", requestId: "a\0b", bodyHash: "b" } });
    const outcomes = await Promise.allSettled([
      ledger.commit(batchOf([100])),
      ledger.commit(bad),
      ledger.commit(batchOf([102])),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { reason: "INVALID_TEXT" } });
    await ledger.close();
  });
});
