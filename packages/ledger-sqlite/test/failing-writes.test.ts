import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { LociErrorJson } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openForReading, openForWriting } from "../src/connection.ts";
import { encodeBatch } from "../src/encode-batch.ts";
import { GroupWriter } from "../src/group-writer.ts";
import { openSqliteLedger } from "../src/index.ts";
import { toLociError } from "../src/sqlite-error.ts";
import type { WriteOperation } from "../src/write-operation.ts";
import { batchOf, refNumber, sampleBatch, sampleMemory, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

test("a disk that fills up at any page gives a typed error, whole batches, and a readable ledger", () => {
  const path = join(directory, "ledger.sqlite");
  const database = openForWriting(path);
  const settings = { path, requestRetentionMilliseconds: 1000, embeddingCacheRows: 10 };
  const writer = new GroupWriter(database, settings);
  const reader = openForReading(path);
  const isStored = reader.prepare("SELECT count(*) AS count FROM memories WHERE ref = ?");
  const write = (...batches: Parameters<typeof encodeBatch>[0][]) =>
    writer.write({ now: 1, operations: batches.map(encodeBatch) });
  const pages = (): number => Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
  write(batchOf(1, 2, 3));

  const ends: (string | undefined)[] = [];
  for (let room = 0; room < 40; room++) {
    database.exec(`PRAGMA max_page_count = ${pages() + room}`);
    const small = 1000 + room * 10;
    const large = Array.from({ length: 4 }, (_, index) => small + 1 + index);
    const memories = large.map((number) => sampleMemory(number, { text: "x".repeat(20_000) }));
    const outcomes = write(batchOf(small), sampleBatch(memories, large), batchOf(small + 9));
    const expected = [[small], large, [small + 9]];
    for (const [index, outcome] of outcomes.entries()) {
      ends.push(outcome.succeeded ? undefined : outcome.error.reason);
      for (const number of expected[index] ?? [])
        expect(isStored.get(refNumber(number))?.["count"]).toBe(outcome.succeeded ? 1 : 0);
    }
    expect(isStored.get(refNumber(1))?.["count"]).toBe(1);
  }
  expect(new Set(ends)).toEqual(new Set([undefined, "DISK_FULL"]));

  database.exec("PRAGMA max_page_count = 4294967294");
  expect(write(batchOf(9)).map(({ succeeded }) => succeeded)).toEqual([true]);
  expect(database.prepare("PRAGMA integrity_check").get()).toMatchObject({ integrity_check: "ok" });
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  const log = reader.prepare("SELECT sequence FROM changes ORDER BY sequence").all();
  expect(log.map((row) => row["sequence"])).toEqual(log.map((_, index) => index + 1));
  reader.close();
  database.close();
});

test.runIf(existsSync("/proc/self/fd"))("a connection that cannot be set up holds no file", () => {
  const path = join(directory, "ledger.sqlite");
  writeFileSync(
    path,
    "This is no database, and has more than the hundred bytes that its head would have. ".repeat(100),
  );
  const openFiles = (): number => readdirSync("/proc/self/fd").length;
  const before = openFiles();
  for (let attempt = 0; attempt < 20; attempt++) expect(() => openForReading(path)).toThrow("not a database");
  expect(openFiles() - before).toBeLessThan(20);
});

test("every write waits for the disk but those that can be found out again", () => {
  const path = join(directory, "ledger.sqlite");
  const database = openForWriting(path);
  const writer = new GroupWriter(database, { path, requestRetentionMilliseconds: 1000, embeddingCacheRows: 10 });
  const isWaitedFor = (...operations: readonly WriteOperation[]): boolean => {
    expect(writer.write({ now: 1, operations }).every(({ succeeded }) => succeeded)).toBe(true);
    return database.prepare("PRAGMA synchronous").get()?.["synchronous"] === 2;
  };
  const lease = { tenant, projection: "text", holder: "server" };
  const commit = (number: number): WriteOperation => encodeBatch(batchOf(number));
  expect(isWaitedFor(commit(1))).toBe(true);
  expect(isWaitedFor({ type: "lease", ...lease })).toBe(false);
  expect(isWaitedFor(commit(2))).toBe(true);
  expect(isWaitedFor({ type: "acknowledge", ...lease, through: 2 })).toBe(false);
  expect(isWaitedFor({ type: "acknowledge", ...lease, through: 2 }, commit(3))).toBe(true);
  expect(isWaitedFor({ type: "release", ...lease })).toBe(false);
  const job = { id: "job", kind: "kind", request: "", keepMilliseconds: 1 };
  expect(isWaitedFor({ type: "enqueueJob", tenant, job })).toBe(true);
  expect(isWaitedFor({ type: "claimJob", claim: { kinds: ["kind"], worker: "w", leaseMilliseconds: 1 } })).toBe(true);
  const held = { tenant, id: "job", worker: "w", attempt: 1 };
  expect(isWaitedFor({ type: "renewJob", lease: held, leaseMilliseconds: 1, progress: "half" })).toBe(false);
  expect(isWaitedFor({ type: "finishJob", lease: held, outcome: { state: "succeeded" } })).toBe(true);
  // An index is about to begin again.
  expect(isWaitedFor({ type: "acknowledge", ...lease, through: 0 })).toBe(true);
  expect(isWaitedFor({ type: "release", ...lease })).toBe(false);
  expect(isWaitedFor({ type: "maintain", scrub: true })).toBe(true);
  database.close();
});

test("when the writer thread dies its callers are told, reads go on, and the ledger can be closed", async () => {
  const started: Worker[] = [];
  const onWorker = (worker: Worker): number => started.push(worker);
  process.on("worker", onWorker);
  const ledger = await openSqliteLedger({ directory });
  process.off("worker", onWorker);
  await ledger.commit(batchOf(1));

  const waiting = Array.from({ length: 5 }, (_, index) => ledger.commit(batchOf(index + 10)));
  const outcomes = Promise.allSettled(waiting);
  await started[0]?.terminate();
  const rejected = (await outcomes).filter((outcome) => outcome.status === "rejected");
  for (const { reason } of rejected) expect(reason).toMatchObject({ reason: "STORE_UNAVAILABLE" });
  await expect(ledger.commit(batchOf(20))).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  expect((await ledger.memories(tenant, [refNumber(1)])).size).toBe(1);
  await ledger.close();

  const again = await openSqliteLedger({ directory });
  await again.commit(batchOf(20));
  expect((await again.memories(tenant, [refNumber(1), refNumber(20)])).size).toBe(2);
  await again.close();
});

test.each([
  [13, "DISK_FULL"],
  [10 | (19 << 8), "DISK_FULL"],
  [10 | (3 << 8), "STORE_UNAVAILABLE"],
  [5, "STORE_UNAVAILABLE"],
  [15, "STORE_UNAVAILABLE"],
  [11 | (1 << 8), "DATA_DIRECTORY_CORRUPT"],
  [26, "DATA_DIRECTORY_CORRUPT"],
  [14, "INVALID_CONFIGURATION"],
  [8, "INVALID_CONFIGURATION"],
  [1, "INTERNAL"],
])("SQLite's result code %i becomes %s", (errcode, reason) => {
  const error = toLociError(Object.assign(new Error("says SQLite"), { errcode }), "/data/ledger.sqlite");
  const { advice, message }: LociErrorJson = error.toJSON();
  expect(error.reason).toBe(reason);
  expect(message.length).toBeGreaterThan(20);
  expect(advice).toBeTruthy();
});
