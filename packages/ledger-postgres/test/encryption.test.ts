import { hash } from "node:crypto";
import { type ContentHash, LociError, type MemoryRecord, type Scope, type TenantId } from "@loci/domain";
import type { EncryptionKeys } from "@loci/encryption";
import type { CommitBatch, Ledger } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inspectPostgresLedger } from "../src/index.ts";
import { encryptionOf, sealAll } from "./encryption-keys.ts";
import { execute, type LedgerDatabase, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, sampleMemory, sampleResource, tenant } from "./samples.ts";

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const first: EncryptionKeys = { current: "first", keys: { first: keyOf(1) } };
/** The new key is known, and not yet the current one. */
const both: EncryptionKeys = { current: "first", keys: { first: keyOf(1), second: keyOf(2) } };
const second: EncryptionKeys = { current: "second", keys: { first: keyOf(1), second: keyOf(2) } };
const secondAlone: EncryptionKeys = { current: "second", keys: { second: keyOf(2) } };

const scope: Scope = { kind: "user", id: "alice" };
const canaries = [
  "cardamom",
  "saffron",
  "turmeric",
  "fenugreek",
  "asafoetida",
  "galangal",
  "juniper",
  "tarragon",
  "sumac",
];

describe.skipIf(missingNativePostgres() !== undefined)("an encrypted database", () => {
  let database: LedgerDatabase;
  const opened: Ledger[] = [];
  beforeEach(async () => {
    database = await openLedgerDatabase("native");
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((ledger) => ledger.close()));
    await database.drop();
  });

  async function open(encryption: EncryptionKeys | undefined): Promise<Ledger> {
    const ledger = await database.open({ encryption, listen: false });
    opened.push(ledger);
    return ledger;
  }

  /** Every row of every table, as text. */
  async function dump(): Promise<string> {
    const tables = await execute(database.superuser, "SELECT tablename FROM pg_tables WHERE schemaname = 'loci'");
    let text = "";
    for (const { tablename } of tables)
      for (const row of await execute(database.superuser, `SELECT t::text AS row FROM loci.${String(tablename)} AS t`))
        text += `${String(tablename)} ${String(row["row"])}\n`;
    return text.toLowerCase();
  }

  async function value(sql: string): Promise<unknown> {
    const [row] = await execute(database.superuser, sql);
    return Object.values(row ?? {})[0];
  }

  test("has no word of what it holds in any row of any table; without encryption all of them are there", async () => {
    await writeCanaries(await open(undefined));
    const plain = await dump();
    expect(canaries.filter((word) => plain.includes(word))).toEqual(canaries);
    await database.drop();
    database = await openLedgerDatabase("native");
    const ledger = await open(first);
    await writeCanaries(ledger);
    const sealed = await dump();
    expect(sealed).toContain("first.");
    expect(canaries.filter((word) => sealed.includes(word))).toEqual([]);
    await expectCanaries(ledger);
    await expectCanaries(await open(first));
    expect(await ledger.checkEntries(tenant, 0, 10)).toEqual({ checked: 2, damaged: [] });
  });

  test("opened without its keys, or with another one under the same id, is refused and says which", async () => {
    await writeCanaries(await open(first));
    const missing = { reason: "ENCRYPTION_KEY_MISSING", details: { keyIds: "first" } };
    await expect(open(undefined)).rejects.toMatchObject(missing);
    await expect(open(secondAlone)).rejects.toMatchObject(missing);
    await expect(open({ current: "first", keys: { first: keyOf(9) } })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "encryption.keys.first",
    });
    const facts = await inspectPostgresLedger({ connectionString: database.service });
    expect(facts.keyIds).toEqual(["first"]);
    await expectCanaries(await open(first));
  });

  test("that was not encrypted goes on: old rows are read and found, new ones are sealed, the job seals the rest", async () => {
    await writeCanaries(await open(undefined));
    const ledger = await open(first);
    await expectCanaries(ledger);
    await ledger.commit(memoryBatch({ ...sampleMemory(2), text: "marjoram" }));
    const recordOf = (number: number): Promise<unknown> =>
      value(`SELECT record FROM loci.changes WHERE ref = '${refNumber(number)}'`);
    expect(await recordOf(1)).toContain("cardamom");
    expect(await recordOf(2)).toMatch(/^\{"sealed":"first\.[^"]+","state":"active","importance":/);
    expect((await encryptionOf(ledger).rows()).plain).toBe(5);
    expect(await sealAll(encryptionOf(ledger))).toMatchObject({ looked: 6, sealed: 5, damaged: 0, retired: [] });
    const sealed = await dump();
    expect(canaries.filter((word) => sealed.includes(word))).toEqual([]);
    await expectCanaries(ledger);
  });

  test("comes under another key while a server that knows both goes on, and then opens without the former one", async () => {
    const former = await open(both);
    await writeCanaries(former);
    // It has the former one as its current key, and goes by what the database says.
    const latter = await open(second);
    expect(await value("SELECT slot FROM loci.memories")).toMatch(/^second\./);
    const again = { ...sampleMemory(3), key: "fenugreek" };
    await expect(former.commit(memoryBatch(again))).rejects.toMatchObject({ reason: "MEMORY_EXISTS" });
    for (const ledger of [former, latter]) await expectCanaries(ledger);
    const key = "lovage";
    await former.commit(memoryBatch({ ...sampleMemory(2), key }));
    expect(await value(`SELECT key FROM loci.memories WHERE ref = '${refNumber(2)}'`)).toMatch(/^second\./);
    expect((await latter.byKeys(tenant, { scope, keys: [key] })).map(({ memory }) => memory.id)).toEqual([
      refNumber(2),
    ]);
    await expect(latter.commit(memoryBatch({ ...sampleMemory(3), key }))).rejects.toMatchObject({
      reason: "MEMORY_EXISTS",
    });
    await former.commit({ ...memoryBatch(sampleMemory(4)), tenant: "other" as TenantId });
    expect(await value("SELECT columns_key FROM loci.tenants WHERE tenant = 'other'")).toBe("second");
    // Its job would seal everything under the former key again.
    await expect(encryptionOf(former).reseal()).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "encryption.current",
    });
    // A job that ended in the middle has sealed what it has sealed.
    let step = await encryptionOf(latter).reseal();
    while (step.sealed === 0) step = await encryptionOf(latter).reseal(step.next);
    expect(step.sealed).toBe(2);
    expect(await sealAll(encryptionOf(latter))).toMatchObject({ sealed: 3, damaged: 0, retired: ["first"] });
    expect([...(await encryptionOf(latter).rows()).byKey.keys()]).toEqual(["second"]);
    await expectCanaries(await open(secondAlone));
    await expectCanaries(former);
  });

  test("comes under another key beside servers that write, and each word is found by every server", async () => {
    const servers = [await open(both), await open(both)];
    const stop = new AbortController();
    let number = 0;
    const writing = servers.map(async (server) => {
      while (!stop.signal.aborted) {
        const memory = { ...sampleMemory(++number), slot: `slot ${number}`, tags: [`tag ${number}`] };
        // oxlint-disable-next-line no-await-in-loop -- One after the other, beside the other server.
        await server.commit(memoryBatch(memory));
      }
    });
    await expect.poll(() => number).toBeGreaterThan(40);
    servers.push(await open(second));
    const before = number;
    await expect.poll(() => number).toBeGreaterThan(before + 40);
    stop.abort();
    await Promise.all(writing);
    const slots = Array.from({ length: number }, (_, index) => `slot ${index + 1}`);
    for (const server of servers) {
      const found = await server.bySlots(tenant, { scopes: [scope], slots, limitOfEach: 2 });
      expect(found.length).toBe(number);
      expect((await server.tags(tenant, { scopes: [scope], category: "fact" })).length).toBe(number);
    }
    const under = "SELECT string_agg(DISTINCT split_part(slot, '.', 1), ' ') FROM loci.memories";
    expect(await value(under)).toBe("second");
  });

  test("refuses servers that are open and do not know the key that another one has begun with", async () => {
    const servers = [await open(undefined), await open(undefined)] as const;
    await writeCanaries(servers[0]);
    await open(first);
    for (const key of ["first", "second"]) {
      const missing = { reason: "ENCRYPTION_KEY_MISSING", details: { keyIds: key } };
      const server = key === "first" ? servers[1] : await open(first);
      if (key === "second") await open(second);
      await expect(server.commit(memoryBatch(sampleMemory(2)))).rejects.toMatchObject(missing);
      const begun = { ...memoryBatch(sampleMemory(2)), tenant: "begun" as TenantId };
      await expect(server.commit(begun)).rejects.toMatchObject(missing);
      await expect(server.byKeys(tenant, { scope, keys: ["fenugreek"] })).rejects.toMatchObject(missing);
      await expect(server.tags(tenant, { scopes: [scope], category: "fact" })).rejects.toMatchObject(missing);
      const checkpoint = [{ through: 2, outline: "o", state: "s" }];
      await expect(
        server.checkpoints.add(tenant, { ref: refNumber(9), reading: "words" }, checkpoint),
      ).rejects.toMatchObject(missing);
    }
    const latter = await open(second);
    await latter.commit(memoryBatch(sampleMemory(2)));
    await expect(servers[0].memories(tenant, [refNumber(2)])).rejects.toMatchObject({
      reason: "ENCRYPTION_KEY_MISSING",
    });
  });

  test("keeps all keys when another one has become current since a pass of the job began", async () => {
    const latter = await open(second);
    await writeCanaries(latter);
    const step = await encryptionOf(latter).reseal();
    await open(both);
    await open(second);
    expect(await encryptionOf(latter).retireOtherKeys(step.pass)).toBeUndefined();
    expect(await sealAll(encryptionOf(latter))).toMatchObject({ retired: ["first"] });
  });

  test("is not written by a server of the version before, which knows nothing of keys", async () => {
    await writeCanaries(await open(first));
    const asBefore = "UPDATE loci.tenants SET head = head + 1, recorded_at = 9 WHERE tenant = 'tenant'";
    await expect(execute(database.superuser, asBefore)).rejects.toThrow("written_with_keys");
    // A tenant that it began comes under the key with the first commit.
    await execute(database.superuser, "INSERT INTO loci.tenants (tenant) VALUES ('other')");
    const other = "other" as TenantId;
    await opened[0]?.commit({ ...memoryBatch({ ...sampleMemory(5), slot: "theme" }), tenant: other });
    expect(await value("SELECT slot FROM loci.memories WHERE tenant = 'other'")).toMatch(/^first\./);
    expect((await opened[0]?.bySlots(other, { scopes: [scope], slots: ["theme"], limitOfEach: 1 }))?.length).toBe(1);
  });

  test("refuses what was put in the place of another row or altered, counts it, and keeps the keys", async () => {
    const ledger = await open(first);
    await writeCanaries(ledger);
    await ledger.commit({ ...memoryBatch({ ...sampleMemory(5), text: "cardamom two" }), tenant: "other" as TenantId });
    const record = String(await value("SELECT record FROM loci.changes WHERE tenant = 'tenant' AND sequence = 1"));
    const foreign = String(await value("SELECT record FROM loci.changes WHERE tenant = 'other' AND sequence = 1"));
    for (const put of [foreign, record.replace('"state":"active"', '"state":"deleted"'), record.slice(0, 60)]) {
      expect(put).not.toBe(record);
      await execute(
        database.superuser,
        `UPDATE loci.changes SET record = '${put}' WHERE tenant = 'tenant' AND sequence = 1`,
      );
      const fresh = await open(first);
      const error: unknown = await fresh.memories(tenant, [refNumber(1)]).catch((reason: unknown) => reason);
      expect(LociError.is(error) && error.reason).toBe("DATA_DIRECTORY_CORRUPT");
      expect(JSON.stringify(error)).not.toContain("cardamom");
      expect((await fresh.checkEntries(tenant, 0, 10)).damaged).toMatchObject([{ sequence: 1, damage: "content" }]);
    }
    const latter = await open(second);
    const counts = await sealAll(encryptionOf(latter));
    expect(counts).toMatchObject({ damaged: 1 });
    expect((await encryptionOf(latter).rows()).byKey.get("first")).toBe(1);
  });
});

/** With the hash of its text, which is compared with it. */
function memoryBatch(memory: MemoryRecord): CommitBatch {
  const contentHash = hash("sha256", memory.text, "hex") as ContentHash;
  return batchOf([], { changes: [{ type: "memoryWritten", memory, contentHash }] });
}

/** Writes a word of its own into everything that has words. */
async function writeCanaries(ledger: Ledger): Promise<void> {
  const memory: MemoryRecord = {
    ...sampleMemory(1),
    text: "cardamom",
    tags: ["Saffron"],
    slot: "turmeric",
    key: "fenugreek",
    metadata: { about: "asafoetida" },
    provenance: { sourceId: "sumac", kind: "conversation", position: 7 },
  };
  await ledger.commit({ ...memoryBatch(memory), reason: "galangal" });
  const decisions = [{ ref: refNumber(1), reason: "EXPIRED", details: { why: "juniper" } }];
  await ledger.commit(batchOf([], { author: { activity: "expire" }, decisions }));
  const resource = { ...sampleResource(9), state: { said: "tarragon" }, payload: { said: "tarragon" } };
  await ledger.commit(batchOf([], { changes: [resource] }));
  await ledger.checkpoints.add(tenant, { ref: refNumber(9), reading: "words" }, [
    { through: 1, outline: "tarragon", state: "tarragon" },
  ]);
}

/** All that was written is read and found by its words. */
async function expectCanaries(ledger: Ledger): Promise<void> {
  const scopes = [scope] as const;
  const [stored] = await ledger.byKeys(tenant, { scope, keys: ["fenugreek"] });
  expect(stored?.memory).toMatchObject({ text: "cardamom", tags: ["Saffron"], slot: "turmeric", key: "fenugreek" });
  expect(await ledger.bySlots(tenant, { scopes, slots: ["turmeric"], limitOfEach: 2 })).toEqual([stored]);
  expect(await ledger.byTags(tenant, { scopes, tags: ["SAFFRON"], evaluationTime: 0, limit: 2 })).toEqual([stored]);
  expect(await ledger.tags(tenant, { scopes, category: "fact" })).toContain("saffron");
  expect(await ledger.atPositions(tenant, scopes, [{ sourceId: "sumac", position: 7 }])).toEqual([stored]);
  expect(await ledger.lastPosition(tenant, scope, "sumac")).toBe(7);
  const decided = await ledger.decisions(tenant, "expire", [refNumber(1)]);
  expect(decided.get(refNumber(1))?.details).toEqual({ why: "juniper" });
  expect((await ledger.changes(tenant, 0, 1)).map(({ reason }) => reason)).toEqual(["galangal"]);
  const [resource] = (await ledger.resources.get(tenant, "notes", [refNumber(9)])).values();
  expect(resource?.state).toEqual({ said: "tarragon" });
  const owner = { ref: refNumber(9), reading: "words" };
  expect(await ledger.checkpoints.outlines(tenant, owner)).toEqual([{ through: 1, outline: "tarragon" }]);
  expect(await ledger.checkpoints.state(tenant, owner, 1)).toBe("tarragon");
}
