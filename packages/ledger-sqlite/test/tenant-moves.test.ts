import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scope, TenantId } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MovableLedger, openSqliteLedger } from "../src/index.ts";
import { tables } from "../src/tables.ts";
import { pieceCount, tenantRows } from "./fixtures/tenant-rows.ts";
import { batchOf, refNumber, sampleBatch, sampleMemory, sampleResource, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const other = "other" as TenantId;

let [here, there] = [temporaryDirectory(), temporaryDirectory()];
let [from, to]: MovableLedger[] = [];
beforeEach(async () => {
  [here, there] = [temporaryDirectory(), temporaryDirectory()];
  [from, to] = await Promise.all([here, there].map(({ directory }) => openSqliteLedger({ directory })));
  // Others were there first: no number is the same in both files.
  await source().commit({ ...batchOf(1, 2), tenant: "first" as TenantId });
  for (const [number, name] of ["second", "third", "fourth"].entries())
    await target().commit({
      ...sampleBatch([sampleMemory(number, { scope: { kind: "project", id: name } })], [number]),
      tenant: name as TenantId,
    });
});
afterEach(async () => {
  await Promise.all([from?.close(), to?.close()]);
  here.remove();
  there.remove();
});

const source = (): MovableLedger => from as MovableLedger;
const target = (): MovableLedger => to as MovableLedger;

/** Something in every table. */
async function fill(ledger: MovableLedger, first = 1): Promise<void> {
  const numbers = Array.from({ length: 40 }, (_, index) => first + index);
  const idempotency = { method: "remember", requestId: `request ${first}`, bodyHash: "b" };
  const memories = numbers.map((number) =>
    sampleMemory(number, { scope: { kind: "user", id: `user ${number % 3}` }, tags: [`tag ${number % 5}`] }),
  );
  await ledger.commit({ ...sampleBatch(memories, numbers), idempotency });
  const edited = sampleMemory(first, { version: 2, text: 'It\'s "edited".', scope: { kind: "user", id: "user 1" } });
  await ledger.commit(sampleBatch([edited], [first + 1_000]));
  const decisions = [{ ref: refNumber(first), reason: "EXPIRED", details: { first: String(first) } }];
  await ledger.commit({ ...sampleBatch([], []), author: { activity: "expire" }, decisions });
  await ledger.commit({ ...sampleBatch([], []), changes: [sampleResource(first + 500)] });
  await ledger.recordUsage(tenant, [{ ref: refNumber(first), at: first }]);
  await ledger.recordShown(tenant, [refNumber(first), refNumber(first + 1)]);
  await ledger.modelUsage.add(tenant, { model: "m", inputTokens: first, cachedInputTokens: 0, outputTokens: 1 });
  await ledger.recallMarks.record(tenant, [
    { owner: "o", session: `s ${first}`, refs: [refNumber(first)], at: 1, keepMilliseconds: 1_000_000 },
  ]);
  const receipt = {
    id: refNumber(first + 700),
    summary: "s",
    body: Uint8Array.of(1),
    refs: [refNumber(first)],
    scopes: [],
  };
  await ledger.receipts.record(tenant, [{ ...receipt, keepMilliseconds: 1_000_000 }], 10);
  await ledger.checkpoints.add(tenant, { ref: refNumber(first + 500), reading: "words" }, [
    { through: 1, outline: "o", state: "s" },
  ]);
  await ledger.settings.set(tenant, "name", `value ${first}`);
  await ledger.jobs.enqueue(tenant, { id: `job ${first}`, kind: "kind", request: "", keepMilliseconds: 1_000_000 });
  const lease = await ledger.lease(tenant, "follower");
  await lease?.acknowledge(first);
  await lease?.release();
  await ledger.purge(tenant, { refs: [refNumber(first + 2)] });
  // A purge empties it.
  await ledger.embeddingCache.set(tenant, new Map([[`key ${first}`, Float32Array.of(first)]]));
}

async function copyAll(): Promise<void> {
  const step = { type: "copy", from: join(here.directory, "ledger.sqlite") } as const;
  while ((await target().move(tenant, step)).isComplete !== true);
}

async function removeAll(ledger: MovableLedger): Promise<void> {
  while ((await ledger.move(tenant, { type: "remove" })).isComplete !== true);
}

test("everything that a tenant has arrives, also what was written on the way, and nothing of it is left", async () => {
  await fill(source());
  await source().commit({ ...batchOf(7), tenant: other });
  await source().move(tenant, { type: "follow" });
  await copyAll();
  expect(await target().tenants()).toContain(tenant);
  await fill(source(), 101);
  // A whole scope goes, whose name is then its number.
  await source().purge(tenant, { scopes: [{ kind: "user", id: "user 0" }] });
  const { changes = [] } = await source().move(tenant, { type: "changes" });
  await target().move(tenant, { type: "apply", changes });
  await fill(source(), 201);
  await source().jobs.claim({ kinds: ["kind"], worker: "w", leaseMilliseconds: 60_000 });
  const { changes: last = [] } = await source().move(tenant, { type: "hold" });
  const before = tenantRows(here.directory, tenant);
  await target().move(tenant, { type: "apply", changes: last, last: { builtHere: [] } });
  await target().move(tenant, { type: "arrive" });
  const arrived = tenantRows(there.directory, tenant);

  const copied = tables.filter(({ whenTenantMoves: way }) => way !== "names" && way !== "withEmbeddings");
  for (const { name } of copied)
    expect({ name, isFilled: (before[name] ?? []).length > 0 }).toEqual({ name, isFilled: true });
  for (const { name } of copied.filter((table) => table.name !== "jobs"))
    expect({ name, rows: arrived[name] }).toEqual({ name, rows: before[name] });
  const jobs = (arrived["jobs"] ?? []).map((row) => JSON.parse(row) as { state: string; worker: string | null });
  expect(jobs.map(({ state, worker }) => [state, worker])).toEqual([
    ["queued", null],
    ["queued", null],
    ["running", null],
  ]);
  // What was running is taken up at once.
  expect((await target().jobs.claim({ kinds: ["kind"], worker: "x", leaseMilliseconds: 1 }))?.job.id).toBe("job 1");

  const others = pieceCount(here.directory);
  await removeAll(source());
  expect(Object.values(tenantRows(here.directory, tenant)).flat()).toEqual([]);
  expect(pieceCount(here.directory)).toBeLessThan(others);
  expect(await source().tenants()).toEqual(["first", other]);
  expect((await source().memories(other, [refNumber(7)])).size).toBe(1);
  // Both are written as before.
  await fill(target(), 301);
  await source().commit({ ...batchOf(8), tenant: other });
});

test("a tenant that comes back has what was written elsewhere, and no number of its former stay", async () => {
  const directories = [here.directory, there.directory];
  const ledgers = [source(), target()];
  await fill(source());
  for (const round of [0, 1, 2, 3]) {
    const [leaving, coming] = [ledgers[round % 2] as MovableLedger, ledgers[(round + 1) % 2] as MovableLedger];
    const step = { type: "copy", from: join(directories[round % 2] as string, "ledger.sqlite") } as const;
    expect(await leaving.memories(tenant, [refNumber(1)])).toHaveProperty("size", 1);
    await leaving.move(tenant, { type: "follow" });
    while ((await coming.move(tenant, step)).isComplete !== true);
    const { changes = [] } = await leaving.move(tenant, { type: "hold" });
    await coming.move(tenant, { type: "apply", changes, last: { builtHere: [] } });
    await coming.move(tenant, { type: "arrive" });
    await removeAll(leaving);
    const text = `Round ${round}.`;
    await coming.commit(sampleBatch([sampleMemory(1, { version: round + 3, text })], [2_000 + round]));
    expect((await coming.memories(tenant, [refNumber(1)])).get(refNumber(1))?.memory.text).toBe(text);
    expect((await leaving.memories(tenant, [refNumber(1)])).size).toBe(0);
  }
});

test("a file that was opened with nothing but what came from another one is written beside what comes next", async () => {
  const empty = temporaryDirectory();
  const move = async (ledger: MovableLedger): Promise<void> => {
    const step = { type: "copy", from: join(here.directory, "ledger.sqlite") } as const;
    while ((await ledger.move(tenant, step)).isComplete !== true);
    await ledger.move(tenant, { type: "apply", changes: [], last: { builtHere: [] } });
    await ledger.move(tenant, { type: "arrive" });
  };
  await source().commit(batchOf(1, 2));
  const first = await openSqliteLedger({ directory: empty.directory });
  await move(first);
  await first.close();
  const again = await openSqliteLedger({ directory: empty.directory });
  try {
    await removeAll(again);
    await source().commit(batchOf(3, 4, 5, 6));
    await move(again);
    await again.commit({ ...batchOf(1, 2, 3, 4), tenant: other });
    expect(tenantRows(empty.directory, tenant)).toEqual(tenantRows(here.directory, tenant));
  } finally {
    await again.close();
    empty.remove();
  }
});

test("what is old may go from either file while a tenant is on its way", async () => {
  const directories = [temporaryDirectory(), temporaryDirectory()];
  let now = 0;
  const options = { clock: () => now, requestRetentionMilliseconds: 1_000, embeddingCacheRows: 2 };
  const [leaving, coming] = (await Promise.all(
    directories.map(({ directory }) => openSqliteLedger({ directory, ...options })),
  )) as [MovableLedger, MovableLedger];
  /** Whatever tenant writes, what is old goes. */
  const keepHouse = async (ledger: MovableLedger, name: TenantId, number: number): Promise<void> => {
    const idempotency = { method: "remember", requestId: `request ${number}`, bodyHash: "b" };
    await ledger.commit({ ...batchOf(number), tenant: name, idempotency });
    await ledger.recallMarks.record(name, [
      { owner: "o", session: "s", refs: [refNumber(number)], at: now, keepMilliseconds: 1_000 },
    ]);
    const [first, second] = [`key ${number}`, `another ${number}`];
    await ledger.embeddingCache.set(name, new Map([first, second].map((key) => [key, Float32Array.of(number)])));
  };
  try {
    for (const [later, file] of [coming, leaving].entries()) {
      const name = `moved ${later}` as TenantId;
      now += 100_000;
      await keepHouse(leaving, name, 1);
      await leaving.move(name, { type: "follow" });
      const step = { type: "copy", from: join(directories[0]!.directory, "ledger.sqlite") } as const;
      while ((await coming.move(name, step)).isComplete !== true);
      const { changes = [] } = await leaving.move(name, { type: "hold" });
      now += 100_000;
      await keepHouse(file, other, 10 + later);
      await coming.move(name, { type: "apply", changes, last: { builtHere: [] } });
      await coming.move(name, { type: "arrive" });
      expect((await coming.memories(name, [refNumber(1)])).size).toBe(1);
      while ((await leaving.move(name, { type: "remove" })).isComplete !== true);
    }
  } finally {
    await Promise.all([leaving.close(), coming.close()]);
    for (const directory of directories) directory.remove();
  }
});

test("nothing is written of a tenant that is held, has gone or has not arrived, and the others are", async () => {
  const refused = { reason: "SERVER_UNAVAILABLE" };
  const write = (ledger: MovableLedger): Promise<unknown> => ledger.settings.set(tenant, "name", "late");
  await fill(source());
  await source().move(tenant, { type: "follow" });
  await copyAll();
  await expect(write(target())).rejects.toMatchObject(refused);
  await expect(target().commit(batchOf(900))).rejects.toMatchObject(refused);
  // What builds its indexes may note how far it is.
  const lease = await target().lease(tenant, "embedded");
  expect(await lease?.acknowledge(5)).toBe(true);
  const { changes = [] } = await source().move(tenant, { type: "hold" });
  await expect(write(source())).rejects.toMatchObject(refused);
  await expect(source().recordShown(tenant, [refNumber(1)])).rejects.toMatchObject(refused);
  await source().commit({ ...batchOf(7), tenant: other });
  expect(await source().jobs.claim({ kinds: ["kind"], worker: "w", leaseMilliseconds: 1 })).toBeUndefined();
  await target().move(tenant, { type: "apply", changes, last: { builtHere: ["embedded"] } });
  expect(await target().jobs.claim({ kinds: ["kind"], worker: "w", leaseMilliseconds: 1 })).toBeUndefined();
  expect(await lease?.acknowledge(6).catch(() => "refused")).toBe("refused");

  // It stays after all.
  await source().move(tenant, { type: "stay" });
  await write(source());
  await removeAll(target());
  await expect(write(target())).rejects.toMatchObject(refused);
  expect(Object.values(tenantRows(there.directory, tenant)).flat()).toEqual([]);
  expect(await source().jobs.claim({ kinds: ["kind"], worker: "w", leaseMilliseconds: 1 })).toBeDefined();
});

test("a tenant does not leave the work that the deployment does for it, and takes along what was done", async () => {
  await fill(source());
  const request = JSON.stringify({ principal: { tenant } });
  await source().jobs.enqueue(undefined, { id: "erase", kind: "operation", request, keepMilliseconds: 60_000 });
  await source().jobs.enqueue(undefined, { id: "odd", kind: "operation", request: "{", keepMilliseconds: 60_000 });
  await source().move(tenant, { type: "follow" });
  await copyAll();
  await expect(source().move(tenant, { type: "hold" })).rejects.toMatchObject({ reason: "SERVER_UNAVAILABLE" });
  const claimed = await source().jobs.claim({ kinds: ["operation"], worker: "w", leaseMilliseconds: 60_000 });
  await source().jobs.finish(claimed!.lease, { state: "succeeded", result: "receipt" });
  const { changes = [] } = await source().move(tenant, { type: "hold" });
  await target().move(tenant, { type: "apply", changes, last: { builtHere: [] } });
  await target().move(tenant, { type: "arrive" });
  expect(await target().jobs.get(undefined, "erase")).toMatchObject({ state: "succeeded", result: "receipt" });
  expect(await target().jobs.get(undefined, "odd")).toBeUndefined();
});

test("a scope takes over the name that another one has given up on the way", async () => {
  const scopeOf = (number: number): Scope => ({ kind: "user", id: `user ${number}` });
  const write = (number: number, scope: number): Promise<unknown> =>
    source().commit(sampleBatch([sampleMemory(number, { scope: scopeOf(scope) })], [number]));
  for (let number = 1; number <= 12; number++) await write(number, number);
  await source().move(tenant, { type: "follow" });
  await copyAll();
  // Their numbers grow from one digit to two: whatever order they are brought over in, some name is taken first.
  for (let number = 1; number <= 12; number++) {
    await source().purge(tenant, { scopes: [scopeOf(number)] });
    await write(100 + number, number);
  }
  const { changes = [] } = await source().move(tenant, { type: "hold" });
  await target().move(tenant, { type: "apply", changes: changes.toReversed(), last: { builtHere: [] } });
  await target().move(tenant, { type: "arrive" });
  expect(tenantRows(there.directory, tenant)).toEqual(tenantRows(here.directory, tenant));
  // What stands for a purged name is a number of the new file, and nobody else's.
  for (let number = 1; number <= 12; number++) await target().purge(tenant, { scopes: [scopeOf(number)] });
});

test("what is written, purged and named anew between two steps of a copy arrives as it is at last", async () => {
  const scopeOf = (number: number): Scope => ({ kind: "user", id: `user ${number % 60}` });
  const write = (first: number, count: number): Promise<unknown> => {
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const memories = numbers.map((number) =>
      sampleMemory(number, { scope: scopeOf(number), tags: [`tag ${number % 5}`, "all"] }),
    );
    return source().commit(sampleBatch(memories, numbers));
  };
  for (let first = 1_000; first < 4_000; first += 500) await write(first, 500);
  await source().move(tenant, { type: "follow" });
  const step = { type: "copy", from: join(here.directory, "ledger.sqlite") } as const;
  let steps = 0;
  for (; (await target().move(tenant, step)).isComplete !== true; steps++) {
    if (steps > 5) continue;
    await fill(source(), 10_000 + 1_000 * steps);
    await source().purge(tenant, { scopes: [scopeOf(steps)] });
    // The same names, of other scopes; and one that is new.
    await write(100_000 + 60 * steps, 60);
    const newcomer = sampleMemory(200_000 + steps, { scope: { kind: "project", id: `new ${steps}` } });
    await source().commit(sampleBatch([newcomer], [200_000 + steps]));
  }
  expect(steps).toBeGreaterThan(1);
  // Whoever builds its indexes reads no further than where the log ended before, all of which is there.
  expect(await target().head(tenant)).toBe(3_000);
  const { changes = [] } = await source().move(tenant, { type: "changes" });
  await write(300_000, 10);
  await target().move(tenant, { type: "apply", changes });
  expect(await target().head(tenant)).toBe(3_000);
  const { changes: last = [] } = await source().move(tenant, { type: "hold" });
  await target().move(tenant, { type: "apply", changes: last, last: { builtHere: [] } });
  await target().move(tenant, { type: "arrive" });
  const [before, arrived] = [here, there].map(({ directory }) => tenantRows(directory, tenant));
  // Work that was under way is taken up anew.
  expect({ ...arrived, jobs: [] }).toEqual({ ...before, jobs: [] });
  expect(await target().head(tenant)).toBe(await source().head(tenant));
});

test("what works on the whole file that a tenant leaves takes turns with the copy", async () => {
  const canary = "a word that is to go";
  await source().commit({ ...sampleBatch([sampleMemory(7, { text: canary })], [7]), tenant: other });
  const numbers = Array.from({ length: 3_000 }, (_, index) => index);
  await source().commit(
    sampleBatch(
      numbers.map((number) => sampleMemory(number)),
      numbers,
    ),
  );
  await source().move(tenant, { type: "follow" });
  const step = { type: "copy", from: join(here.directory, "ledger.sqlite") } as const;
  expect((await target().move(tenant, step)).isComplete).toBe(false);
  await source().purge(other, { everything: true });
  await source().maintain({ scrub: true });
  for (const file of ["ledger.sqlite", "ledger.sqlite-wal"])
    expect(readFileSync(join(here.directory, file)).includes(canary)).toBe(false);
  expect((await target().move(tenant, step)).isComplete).toBe(false);
  await source().maintain({ scrub: false });
  await target().maintain({ scrub: true });
  await copyAll();
  const { changes = [] } = await source().move(tenant, { type: "hold" });
  await target().move(tenant, { type: "apply", changes, last: { builtHere: [] } });
  await target().move(tenant, { type: "arrive" });
  expect(tenantRows(there.directory, tenant)).toEqual(tenantRows(here.directory, tenant));
});

test("tenants that are copied together are on the disk once they are settled, and nothing of what they left is in the files", async () => {
  const many = Array.from({ length: 5 }, (_, number) => `many ${number}` as TenantId);
  const canary = "a word that is to go";
  for (const [number, name] of many.entries())
    await source().commit({ ...sampleBatch([sampleMemory(number, { text: canary })], [number]), tenant: name });
  for (const name of many) {
    const step = { type: "copy", from: join(here.directory, "ledger.sqlite"), isDeferred: true } as const;
    while ((await target().move(name, step)).isComplete !== true);
    await target().move(name, { type: "apply", changes: [], last: { builtHere: [] } });
    await target().move(name, { type: "arrive" });
  }
  await target().settleTenants();
  // As after a loss of power: what is in the file itself, without its log.
  expect(readFileSync(join(there.directory, "ledger.sqlite-wal"))).toHaveLength(0);
  for (const name of many) expect(tenantRows(there.directory, name)).toEqual(tenantRows(here.directory, name));
  for (const name of many)
    while ((await source().move(name, { type: "remove", isDeferred: true })).isComplete !== true);
  await source().settleTenants();
  for (const file of ["ledger.sqlite", "ledger.sqlite-wal"])
    expect(readFileSync(join(here.directory, file)).includes(canary)).toBe(false);
  expect(await source().tenants()).toEqual(["first"]);
  // One alone waits for the disk again, and comes back.
  await copyAll();
});

test("of tenants that are hidden nobody finds anything, nor takes up their work, until the rest is removed", async () => {
  await fill(source());
  await source().commit({ ...batchOf(7), tenant: other });
  await source().jobs.enqueue(other, { id: "of other", kind: "kind", request: "", keepMilliseconds: 60_000 });
  await source().hideTenants([tenant, "nobody's" as TenantId]);
  expect(await source().tenants()).toEqual(["first", other]);
  await expect(source().settings.set(tenant, "name", "late")).rejects.toMatchObject({ reason: "SERVER_UNAVAILABLE" });
  const claim = { kinds: ["kind"], worker: "w", leaseMilliseconds: 60_000 };
  expect((await source().jobs.claim(claim))?.job.id).toBe("of other");
  expect(await source().jobs.claim(claim)).toBeUndefined();
  await removeAll(source());
  expect(Object.values(tenantRows(here.directory, tenant)).flat()).toEqual([]);
});

test("a copy that lacks a row is not taken for the tenant", async () => {
  await fill(source());
  await source().move(tenant, { type: "follow" });
  await copyAll();
  await source().commit(batchOf(900));
  await source().move(tenant, { type: "hold" });
  await expect(target().move(tenant, { type: "apply", changes: [], last: { builtHere: [] } })).rejects.toMatchObject({
    reason: "DATA_DIRECTORY_CORRUPT",
  });
  await expect(target().move(tenant, { type: "apply", changes: [] })).rejects.toMatchObject({
    reason: "INVALID_REQUEST",
  });
});

test("the tenants that have a setting are named, and the deployment is not one of them", async () => {
  const { settings } = source();
  for (const owner of [other, tenant, undefined]) await settings.set(owner, "brought along", "a");
  await settings.set("second" as TenantId, "brought", "b");
  expect(await source().tenantsWithSetting("brought along")).toEqual([tenant, other].toSorted());
  await settings.set(other, "brought along", undefined);
  expect(await source().tenantsWithSetting("brought along")).toEqual([tenant]);
});
