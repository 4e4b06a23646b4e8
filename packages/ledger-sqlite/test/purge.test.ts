import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import type { Scope, TenantId } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { hashOfMemory, refNumber, sampleBatch, sampleMemory, space, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

const canary = "CANARY-7f3a";
const alice: Scope = { kind: "user", id: `alice-${canary}` };

/** Files that hold the canary. Another process looks: this one owns the locks, which opening the files would release. */
function filesWithCanary(): readonly string[] {
  try {
    const found = execFileSync("grep", ["-rlaF", canary, directory], { encoding: "utf8" });
    return found.trim().split("\n");
  } catch {
    // What grep says when it finds nothing.
    return [];
  }
}

/** Texts of all lengths, so that pages are split, merged and overflow. */
function textOf(number: number, version: number): string {
  return `${canary} ${number} ${version} `.repeat(1 + ((number * 7 + version * 13) % 97));
}

test("no byte of what was purged is left in any file, while the ledger is open and after", async () => {
  const ledger = await openSqliteLedger({ directory });
  const numbers = Array.from({ length: 600 }, (_, index) => index + 1);
  for (const version of [1, 2, 3]) {
    const memories = numbers.map((number) => {
      const isAlices = number % 3 !== 0;
      const text = isAlices ? textOf(number, version) : `kept ${number} ${version} `.repeat(number % 50);
      const scope: Scope = isAlices ? alice : { kind: "user", id: "bob" };
      return sampleMemory(number, { version, scope, text, tags: isAlices ? [`tag ${canary}`] : ["tag"] });
    });
    const idempotency = { method: "m", requestId: `request ${version}`, bodyHash: "b" };
    await ledger.commit({
      ...sampleBatch(
        memories,
        numbers.map((number) => number * 10 + version),
      ),
      idempotency,
    });
  }
  await ledger.embeddingCache.set(tenant, new Map([[canary, Float32Array.of(1)]]));
  expect(filesWithCanary()).not.toEqual([]);
  const bobs = (): Promise<unknown> => ledger.scan(tenant, { limit: 1_000, scopes: [{ kind: "user", id: "bob" }] });
  const before = await bobs();

  expect((await ledger.purge(tenant, { scopes: [alice] })).memories).toBe(400);
  await ledger.maintain({ scrub: true });
  expect(filesWithCanary()).toEqual([]);
  expect(readdirSync(directory)).toContain("ledger.sqlite-wal");
  expect(await bobs()).toEqual(before);
  const vectors = await ledger.embeddings(
    tenant,
    space,
    numbers.map((number) => hashOfMemory(number * 10 + 3)),
  );
  expect(vectors.size).toBe(200);
  await ledger.close();
  expect(filesWithCanary()).toEqual([]);
});

test("a purge that was interrupted is completed by the next one", async () => {
  const ledger = await openSqliteLedger({ directory });
  const other = "other" as TenantId;
  for (const owner of [tenant, other]) {
    const batch = sampleBatch([sampleMemory(1)], [1]);
    await ledger.commit({ ...batch, tenant: owner });
  }
  const controller = new AbortController();
  const purging = ledger.purge(tenant, { refs: [refNumber(1)] }, { signal: controller.signal });
  const stop = ledger.onCommitted(() => undefined);
  controller.abort();
  await expect(purging).rejects.toMatchObject({ reason: "CANCELLED" });
  stop();
  await ledger.purge(tenant, { refs: [refNumber(1)] });
  expect((await ledger.embeddings(tenant, space, [hashOfMemory(1)])).size).toBe(0);
  expect((await ledger.embeddings(other, space, [hashOfMemory(1)])).size).toBe(1);
  await ledger.close();
});

test("an interrupted write, an edit and a purge at the same time end in one order", async () => {
  const ledger = await openSqliteLedger({ directory });
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  await ledger.commit(
    sampleBatch(
      numbers.map((number) => sampleMemory(number)),
      numbers,
    ),
  );
  const edits = numbers.map((number) =>
    ledger.commit(sampleBatch([sampleMemory(number, { version: 2, text: "edited" })], [100 + number])).then(
      () => "edited",
      (error: unknown) => (error as { reason: string }).reason,
    ),
  );
  const purging = ledger.purge(tenant, { refs: numbers.map(refNumber) });
  const outcomes = new Set(await Promise.all(edits));
  await purging;
  for (const outcome of outcomes) expect(["edited", "MEMORY_ERASED"]).toContain(outcome);
  expect(await ledger.scan(tenant, { limit: 100 })).toEqual([]);
  expect((await ledger.purged(tenant, { limit: 100 })).length).toBe(50);
  const log = await ledger.changes(tenant, 0, 1_000);
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
  expect(log.every(({ kind }) => kind === "memoryRemoved")).toBe(true);
  await ledger.close();
});
