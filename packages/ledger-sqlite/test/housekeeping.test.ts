import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { batchOf, sampleBatch, sampleMemory, space, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

/** What a closed ledger's table holds. */
function rowsOf(table: string): number {
  const database = new DatabaseSync(join(directory, "ledger.sqlite"), { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get();
  database.close();
  return Number(row?.["count"]);
}

test("the embedding cache keeps the newest rows up to its limit", async () => {
  const ledger = await openSqliteLedger({ directory, embeddingCacheRows: 10 });
  for (let number = 0; number < 25; number++)
    await ledger.embeddingCache.set(tenant, new Map([[`key ${number}`, Float32Array.of(number)]]));
  const keys = Array.from({ length: 25 }, (_, number) => `key ${number}`);
  const found = await ledger.embeddingCache.get(tenant, keys);
  expect([...found.keys()]).toEqual(keys.slice(15));
  const many = new Map(keys.map((key) => [`many ${key}`, Float32Array.of(1)]));
  await ledger.embeddingCache.set(tenant, many);
  expect((await ledger.embeddingCache.get(tenant, [...many.keys()])).size).toBe(10);
  await ledger.close();
  expect(rowsOf("embedding_cache")).toBe(10);
});

test("requests past their retention are deleted, and their bytes with them", async () => {
  let now = 1_000_000;
  const retention = 5000;
  const ledger = await openSqliteLedger({ directory, clock: () => now, requestRetentionMilliseconds: retention });
  for (let number = 1; number <= 20; number++)
    await ledger.commit({
      ...batchOf(number),
      idempotency: { method: "m", requestId: `CANARY-${number}`, bodyHash: "b" },
    });
  await ledger.embeddingCache.set(tenant, new Map([["CANARY-key", Float32Array.of(1)]]));
  now += 100_000;
  await ledger.commit({ ...batchOf(30), idempotency: { method: "m", requestId: "kept", bodyHash: "b" } });
  await ledger.close();
  expect(rowsOf("requests")).toBe(1);
  const canary = /CANARY-\d/;
  for (const file of readdirSync(directory)) expect(readFileSync(join(directory, file), "latin1")).not.toMatch(canary);
});

test("a closed ledger leaves one file: its log is written back", async () => {
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1));
  expect(readdirSync(directory)).toContain("ledger.sqlite-wal");
  await ledger.close();
  expect(readdirSync(directory).toSorted()).toEqual(["ledger.sqlite", "lock.sqlite"]);
});

test("after opening only what was written since is looked through for embeddings that are missing", async () => {
  const count = 1_200;
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(...Array.from({ length: count }, (_, number) => number)));
  expect(await ledger.withoutEmbedding(tenant, space, 10)).toEqual([]);
  await ledger.close();
  // What no ledger does: were the log looked through again, it would be noticed.
  const database = new DatabaseSync(join(directory, "ledger.sqlite"));
  database.exec("DELETE FROM embeddings");
  database.close();
  const again = await openSqliteLedger({ directory });
  expect(await again.withoutEmbedding(tenant, space, 10)).toEqual([]);
  await again.commit(sampleBatch([sampleMemory(count)], []));
  expect(await again.withoutEmbedding(tenant, space, 10)).toMatchObject([{ memory: { text: `memory ${count}` } }]);
  await again.close();
});

test("leases of an owner that is gone do not keep the next one waiting", async () => {
  const ledger = await openSqliteLedger({ directory });
  expect(await ledger.lease(tenant, "projection")).toBeDefined();
  await ledger.close();
  const again = await openSqliteLedger({ directory });
  expect(await again.lease(tenant, "projection")).toBeDefined();
  await again.close();
});

test("long reads let others have their turn", async () => {
  const ledger = await openSqliteLedger({ directory });
  for (let batch = 0; batch < 4; batch++)
    await ledger.commit(batchOf(...Array.from({ length: 2000 }, (_, index) => batch * 2000 + index + 1)));
  let turns = 0;
  let reading = true;
  const count = (): void => {
    turns++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const log = await ledger.changes(tenant, 0, 8000);
  reading = false;
  expect(log.length).toBe(8000);
  expect(turns).toBeGreaterThan(1);

  const controller = new AbortController();
  setImmediate(() => controller.abort());
  await expect(ledger.changes(tenant, 0, 8000, { signal: controller.signal })).rejects.toMatchObject({
    reason: "CANCELLED",
  });
  await ledger.close();
});
