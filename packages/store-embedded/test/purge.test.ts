import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { memoryId, type TenantId, tenantId } from "@loci/domain";
import type { IndexChange } from "@loci/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";

const tenants = Array.from({ length: 9 }, (_, number) => tenantId(`tenant-${number}`));
const secret = "quetzalcoatl";

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore({ maxHeadRows: 6, maxOpenIndexes: 2 });
});
afterEach(() => store.destroy());

function row(number: number, word: string): IndexChange {
  const ref = memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
  const terms = new Map([[word, 1]]);
  return { type: "upsert", ref, version: 1, scope: { kind: "global" }, fields: {}, vectors: [], terms };
}

async function filesWith(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(store.directory, { recursive: true })) {
    const path = join(store.directory, name);
    if (!(await stat(path)).isFile()) continue;
    const bytes = await readFile(path);
    // Logs hold it in one byte a letter, segments in two.
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, "utf16le"))) found.push(name);
  }
  return found;
}

async function fill(tenant: TenantId): Promise<void> {
  for (let batch = 0; batch < 5; batch++)
    await store.textIndex.apply(
      tenant,
      Array.from({ length: 4 }, (_, index) => row(4 * batch + index, index === 1 ? secret : "word")),
      4 * batch + 4,
    );
  const deletes = Array.from({ length: 5 }, (_, batch) => ({ ...row(4 * batch + 1, ""), type: "delete", version: 2 }));
  await store.textIndex.apply(tenant, deletes as readonly IndexChange[], 25);
}

test("a purge reaches the indexes of tenants that are not open, and what a failed write left", async () => {
  for (const tenant of tenants) await fill(tenant);
  store = await store.reopen();
  const held = await filesWith(secret);
  expect(held.length).toBeGreaterThanOrEqual(tenants.length);
  // Its index is open, so that nothing that is left there is removed by opening it.
  await store.textIndex.checkpoint(tenants[0] as TenantId);
  for (const directory of new Set(held.map(dirname))) await writeFile(join(store.directory, directory, "x-99"), secret);
  await store.textIndex.maintain({ purge: true });
  expect(await filesWith(secret)).toEqual([]);
  for (const tenant of tenants) {
    expect(await store.textIndex.checkpoint(tenant)).toBe(25);
    expect((await store.textIndex.statistics(tenant, [])).documents).toBe(15);
  }
  expect(store.problems).toEqual([]);
});

test("a purge that its caller gives up ends before the next index", async () => {
  for (const tenant of tenants) await fill(tenant);
  const stop = new AbortController();
  const purging = store.textIndex.maintain({ purge: true, signal: stop.signal });
  stop.abort();
  await expect(purging).rejects.toMatchObject({ reason: "CANCELLED" });
  await store.textIndex.maintain({ purge: true });
  expect(await filesWith(secret)).toEqual([]);
});

test("a purge goes on beside tenants whose indexes are removed", async () => {
  for (let round = 0; round < 20; round++) {
    for (const tenant of tenants) await fill(tenant);
    const purging = store.textIndex.maintain({ purge: true });
    const removing = Promise.all(tenants.slice(0, 8).map(async (tenant) => store.textIndex.reset?.(tenant)));
    await Promise.all([purging, removing]);
    expect(await filesWith(secret)).toEqual([]);
    expect((await store.textIndex.statistics(tenants[0] as TenantId, [])).documents).toBe(0);
    expect((await store.textIndex.statistics(tenants[8] as TenantId, [])).documents).toBe(15);
    await store.textIndex.reset?.(tenants[8] as TenantId);
  }
});
