import { setTimeout } from "node:timers/promises";
import type { TenantId } from "@loci/domain";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProgram } from "./child-process.ts";
import { execute, type LedgerDatabase, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, sampleMemory, tenant, written } from "./samples.ts";

describe.skipIf(missingNativePostgres() !== undefined)("many servers on one database", () => {
  let database: LedgerDatabase;
  beforeAll(async () => {
    database = await openLedgerDatabase("native");
  });
  afterAll(() => database.drop());

  test("100 writers of two processes lose no update and read what they wrote", async () => {
    await using ledger = disposable(await database.open());
    await ledger.commit(batchOf([], { changes: [written(sampleMemory(1, { metadata: { count: 0 } }))] }));
    const options = { ...database.options, ownerConnectionString: undefined };
    const programs = [1, 2].map(() => startProgram("count-up.ts", options, "50", "1"));
    await Promise.all(programs.map((program) => program.printed(1)));
    const conflicts = programs.map(({ lines }) => Number(lines[0]));
    expect(conflicts.every((count) => count > 0)).toBe(true);
    const { memory } = (await ledger.memories(tenant, [refNumber(1)])).get(refNumber(1)) ?? {};
    expect([memory?.version, memory?.metadata]).toEqual([101, { count: 100 }]);
    const log = await ledger.changes(tenant, 0, 1000);
    expect(log.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
    const times = log.map(({ recordedAt }) => recordedAt);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
  });

  test("two that commit at once, each one batch after the other, never get into each other's way", async () => {
    const of = "in turn" as TenantId;
    const commitInTurn = async (first: number): Promise<number[]> => {
      await using ledger = disposable(await database.open({ listen: false }));
      const sequences: number[] = [];
      for (let number = first; number < first + 100; number++)
        sequences.push((await ledger.commit(batchOf([number], {}, of))).sequence);
      return sequences;
    };
    const sequences = (await Promise.all([1000, 2000].map(commitInTurn))).flat();
    expect(sequences.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
  });

  test("times never decrease in a tenant, though the servers' clocks differ", async () => {
    const of = "clocks" as TenantId;
    await using ahead = disposable(await database.open({ clock: () => 2_000 }));
    await using behind = disposable(await database.open({ clock: () => 1_000 }));
    const times: number[] = [];
    for (const [index, ledger] of [behind, ahead, behind].entries())
      times.push((await ledger.commit(batchOf([index + 1], {}, of))).recordedAt);
    expect(times).toEqual([1_000, 2_000, 2_000]);
  });

  test("a repeated request gets its first answer from another server", async () => {
    const of = "repeated" as TenantId;
    await using first = disposable(await database.open());
    await using second = disposable(await database.open());
    const idempotency = { method: "remember", requestId: "r", bodyHash: "b" };
    const answers = await Promise.all(
      [first, second, first, second].map((ledger, index) => ledger.commit(batchOf([index + 1], { idempotency }, of))),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await first.head(of)).toBe(1);
  });

  test("each hears of the others' commits", async () => {
    const of = "heard" as TenantId;
    await using writer = disposable(await database.open({ pollMilliseconds: 60_000 }));
    await using listener = disposable(await database.open({ pollMilliseconds: 60_000 }));
    const heard: number[] = [];
    await silent(database);
    const stop = listener.onCommitted((changed, head) => void (changed === of && heard.push(head)));
    await listening(database);
    for (let number = 1; number <= 3; number++) await writer.commit(batchOf([number], {}, of));
    await expect.poll(() => heard.at(-1)).toBe(3);
    stop();
  });

  test("what was committed while nobody could be heard is found, and then they are heard again", async () => {
    const of = "reconnected" as TenantId;
    await using writer = disposable(await database.open());
    await using listener = disposable(await database.open({ pollMilliseconds: 200 }));
    const heard: number[] = [];
    await silent(database);
    listener.onCommitted((changed, head) => void (changed === of && heard.push(head)));
    await listening(database);
    expect(await execute(database.superuser, `SELECT pg_terminate_backend(pid) ${listeners}`)).toHaveLength(1);
    await writer.commit(batchOf([1], {}, of));
    await expect.poll(() => heard).toContain(1);
    await listening(database);
    await writer.commit(batchOf([2], {}, of));
    await expect.poll(() => heard).toContain(2);
  });

  test("without listening they are found by polling", async () => {
    const of = "polled" as TenantId;
    await using writer = disposable(await database.open());
    await using listener = disposable(await database.open({ listen: false, pollMilliseconds: 100 }));
    const heard: number[] = [];
    listener.onCommitted((changed, head) => void (changed === of && heard.push(head)));
    await setTimeout(300);
    await writer.commit(batchOf([1], {}, of));
    await expect.poll(() => heard).toContain(1);
  });

  test("when the one that drains is killed another takes over within 10 s, and nothing is applied twice", async () => {
    await execute(
      database.superuser,
      "CREATE TABLE applied (sequence integer, process integer, at timestamptz DEFAULT clock_timestamp())",
    );
    await using ledger = disposable(await database.open());
    const options = { ...database.options, ownerConnectionString: undefined };
    const before = await ledger.head(tenant);
    const [leader, follower] = [1, 2].map(() => startProgram("drain-until-killed.ts", options, database.superuser));
    if (leader === undefined || follower === undefined) throw new Error("no programs");
    await Promise.all([leader.printed(1), follower.printed(1)]);
    for (let number = 0; number < 50; number++) await ledger.commit(batchOf([1000 + number]));
    await expect.poll(() => leader.lines.length + follower.lines.length).toBe(before + 50 + 2);
    const [killed, survivor] = leader.lines.length > 1 ? [leader, follower] : [follower, leader];
    expect(survivor.lines).toHaveLength(1);
    const committing = Array.from({ length: 50 }, (_, number) => ledger.commit(batchOf([2000 + number])));
    await killed.kill();
    const [death] = await execute(database.superuser, "SELECT clock_timestamp()::text AS at");
    await Promise.all(committing);
    // Whatever the one that was killed had applied, there is something left.
    await ledger.commit(batchOf([2050]));
    const applied = async (): Promise<number> => (await execute(database.superuser, "SELECT 1 FROM applied")).length;
    const head = before + 101;
    await expect.poll(applied, { interval: 100 }).toBe(head);
    const [takeover] = await execute(
      database.superuser,
      `SELECT extract(epoch FROM min(at) - '${String(death?.["at"])}')::float8 AS seconds
        FROM applied WHERE process = ${survivor.pid}`,
    );
    expect(takeover?.["seconds"]).toBeLessThan(10);
    await survivor.kill();
    const rows = await execute(database.superuser, "SELECT sequence FROM applied ORDER BY sequence");
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: head }, (_, index) => index + 1));
  });
});

const connected = "FROM pg_stat_activity WHERE application_name = 'loci listener' AND datname = current_database()";
/** Those that have asked for something after they connected: the first that a listener asks is to listen. */
const listeners = `${connected} AND state = 'idle' AND query <> ''`;

/** Waits until one server listens in the database. */
async function listening(database: LedgerDatabase): Promise<void> {
  await expect.poll(() => execute(database.superuser, `SELECT 1 ${listeners}`)).toHaveLength(1);
}

/** Waits until those that listened before are gone. */
async function silent(database: LedgerDatabase): Promise<void> {
  await expect.poll(() => execute(database.superuser, `SELECT 1 ${connected}`)).toHaveLength(0);
}

function disposable<Closable extends { close(): Promise<void> }>(ledger: Closable): Closable & AsyncDisposable {
  return Object.assign(ledger, { [Symbol.asyncDispose]: () => ledger.close() });
}
