import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ContentHash, LociError, type MemoryRecord, type Scope, type TenantId } from "@loci/domain";
import type { EncryptionKeys } from "@loci/encryption";
import type { CommitBatch } from "@loci/ledger";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inspectLedgerFile, type MovableLedger, openSqliteLedger } from "../src/index.ts";
import { refNumber, sampleBatch, sampleMemory, sampleResource, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const first: EncryptionKeys = { current: "first", keys: { first: keyOf(1) } };
const second: EncryptionKeys = { current: "second", keys: { first: keyOf(1), second: keyOf(2) } };

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

const aliceScope: Scope = { kind: "user", id: "alice" };

async function opened(encryption: EncryptionKeys | undefined): Promise<MovableLedger & AsyncDisposable> {
  const ledger = await openSqliteLedger({ directory, encryption });
  return Object.assign(ledger, { [Symbol.asyncDispose]: () => ledger.close() });
}

/** With the hash of its text, which is compared with it. */
function batchOfMemory(memory: MemoryRecord, number: number): CommitBatch {
  const contentHash = hash("sha256", memory.text, "hex") as ContentHash;
  return { ...sampleBatch([], [number]), changes: [{ type: "memoryWritten", memory, contentHash }] };
}

const canaries = ["cardamom", "saffron", "turmeric", "fenugreek", "asafoetida", "galangal", "juniper", "tarragon"];

/** Writes a word of its own into everything that has words. */
async function writeCanaries(encryption: EncryptionKeys | undefined): Promise<void> {
  await using ledger = await opened(encryption);
  const memory = {
    ...sampleMemory(1),
    text: "cardamom",
    tags: ["Saffron"],
    slot: "turmeric",
    key: "fenugreek",
    metadata: { about: "asafoetida" },
  };
  await ledger.commit({ ...batchOfMemory(memory, 1), reason: "galangal" });
  const decisions = [{ ref: refNumber(1), reason: "EXPIRED", details: { why: "juniper" } }];
  await ledger.commit({ ...sampleBatch([], []), author: { activity: "expire" }, decisions });
  const resource = { ...sampleResource(9), state: { said: "tarragon" }, payload: { said: "tarragon" } };
  await ledger.commit({ ...sampleBatch([], []), changes: [resource] });
  await ledger.checkpoints.add(tenant, { ref: refNumber(9), reading: "words" }, [
    { through: 1, outline: "tarragon", state: "tarragon" },
  ]);
}

function found(): readonly string[] {
  const bytes = readdirSync(directory).map((name) => readFileSync(join(directory, name), "latin1").toLowerCase());
  return canaries.filter((word) => bytes.some((file) => file.includes(word)));
}

function change(sql: string, ...values: (string | number)[]): void {
  const file = new DatabaseSync(join(directory, "ledger.sqlite"));
  file.prepare(sql).run(...values);
  file.close();
}

function valueOf(sql: string, ...values: (string | number)[]): string {
  const file = new DatabaseSync(join(directory, "ledger.sqlite"), { readOnly: true });
  const [value] = Object.values(file.prepare(sql).get(...values) ?? {});
  file.close();
  return String(value);
}

async function refusal(action: Promise<unknown>): Promise<LociError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (LociError.is(error)) return error;
  throw new Error("It was not refused.", { cause: error });
}

describe("an encrypted ledger", () => {
  test("has no word of what it holds in any of its files; without encryption all of them are there", async () => {
    await writeCanaries(undefined);
    expect(found()).toEqual(canaries);
    remove();
    ({ directory, remove } = temporaryDirectory());
    await writeCanaries(first);
    expect(found()).toEqual([]);
  });

  test("gives back what was written, after it was opened again", async () => {
    await writeCanaries(first);
    await using ledger = await opened(first);
    const [stored] = await ledger.byKeys(tenant, { scope: aliceScope, keys: ["fenugreek"] });
    expect(stored?.memory).toMatchObject({ text: "cardamom", tags: ["Saffron"], slot: "turmeric", key: "fenugreek" });
    const scopes = [aliceScope] as const;
    expect(await ledger.bySlots(tenant, { scopes, slots: ["turmeric"], limitOfEach: 2 })).toEqual([stored]);
    expect(await ledger.byTags(tenant, { scopes, tags: ["SAFFRON"], evaluationTime: 0, limit: 2 })).toEqual([stored]);
    expect(await ledger.tags(tenant, { scopes, category: "fact" })).toEqual(["saffron"]);
    expect((await ledger.decisions(tenant, "expire", [refNumber(1)])).get(refNumber(1))?.details).toEqual({
      why: "juniper",
    });
    expect((await ledger.changes(tenant, 0, 10)).map(({ reason }) => reason)).toEqual(["galangal", undefined]);
    expect(await ledger.checkpoints.state(tenant, { ref: refNumber(9), reading: "words" }, 1)).toBe("tarragon");
    expect(await ledger.checkEntries(tenant, 0, 10)).toEqual({ checked: 2, damaged: [] });
  });

  test("opened without its keys, or with another one under the same id, is refused and says which", async () => {
    await writeCanaries(first);
    const without = await refusal(openSqliteLedger({ directory }));
    expect(without.reason).toBe("ENCRYPTION_KEY_MISSING");
    expect(without.message).toContain('"first"');
    const retired = await refusal(
      openSqliteLedger({ directory, encryption: { current: "second", keys: { second: keyOf(2) } } }),
    );
    expect(retired.reason).toBe("ENCRYPTION_KEY_MISSING");
    const other = await refusal(
      openSqliteLedger({ directory, encryption: { current: "first", keys: { first: keyOf(9) } } }),
    );
    expect(other.reason).toBe("INVALID_CONFIGURATION");
    // Nobody was hindered by the refusals.
    await (await openSqliteLedger({ directory, encryption: first })).close();
    expect(inspectLedgerFile(join(directory, "ledger.sqlite"), 1e9)).toMatchObject({ keyIds: ["first"], isRead: true });
  });

  test("that was not encrypted, or under another key, goes on: old rows are read and found, new ones are sealed", async () => {
    await writeCanaries(undefined);
    for (const encryption of [first, second]) {
      await using ledger = await opened(encryption);
      const scopes = [aliceScope] as const;
      const found = [
        await ledger.byKeys(tenant, { scope: aliceScope, keys: ["fenugreek"] }),
        await ledger.bySlots(tenant, { scopes, slots: ["turmeric"], limitOfEach: 2 }),
        await ledger.byTags(tenant, { scopes, tags: ["saffron"], evaluationTime: 0, limit: 2 }),
      ];
      expect(found.map((stored) => stored[0]?.memory.text)).toEqual(["cardamom", "cardamom", "cardamom"]);
      expect(await ledger.tags(tenant, { scopes, category: "fact" })).toEqual(["saffron"]);
      const number = encryption === first ? 2 : 3;
      await ledger.commit(batchOfMemory({ ...sampleMemory(number), tags: [], text: "marjoram" }, number));
    }
    const recordOf = "SELECT record FROM changes WHERE ref = ?";
    expect(valueOf(recordOf, refNumber(1))).toContain("cardamom");
    expect(valueOf(recordOf, refNumber(2))).toMatch(/^\{"sealed":"first\.[^"]+","state":"active","importance":/);
    expect(valueOf(recordOf, refNumber(3))).toMatch(/^\{"sealed":"second\./);
    expect(valueOf("SELECT slot FROM memories WHERE ref = ?", refNumber(1))).toMatch(/^second\./);
    // A memory that was written plain is changed, forgotten and purged as any other.
    await using ledger = await opened(second);
    await ledger.commit({
      ...sampleBatch([], []),
      changes: [{ type: "memoryRemoved", ref: refNumber(1), version: 2, removedAt: 5 }],
    });
    expect(await ledger.tags(tenant, { scopes: [aliceScope], category: "fact" })).toEqual([]);
    await ledger.purge(tenant, { refs: [refNumber(1), refNumber(2)] });
    expect((await ledger.memories(tenant, [refNumber(1), refNumber(2), refNumber(3)])).size).toBe(1);
  });

  test("refuses what was put in the place of another row, tenant or version, altered or cut off, without a word of it", async () => {
    const other = "other" as TenantId;
    {
      await using ledger = await opened(first);
      const texts = ["cardamom one", "cardamom two"];
      for (const [index, text] of texts.entries()) {
        const memory = { ...sampleMemory(index + 1), text };
        await ledger.commit(batchOfMemory(memory, index + 1));
      }
      await ledger.commit({ ...batchOfMemory({ ...sampleMemory(5), text: "cardamom three" }, 5), tenant: other });
    }
    const record = (sequence: number, owner = 1): string =>
      valueOf("SELECT record FROM changes WHERE tenant = ? AND sequence = ?", owner, sequence);
    const [one, two, three] = [record(1), record(2), record(1, 2)];
    const flipped = (one.at(40) === "A" ? "B" : "A") + one.slice(41);
    for (const put of [
      two,
      three,
      one.slice(0, 40) + flipped,
      one.slice(0, 60),
      one.replace('"state":"active"', '"state":"deleted"'),
      one.replace('"importance":', '"importance":0.'),
    ]) {
      expect(put).not.toBe(one);
      change("UPDATE changes SET record = ? WHERE tenant = 1 AND sequence = 1", put);
      await using ledger = await opened(first);
      const error = await refusal(ledger.memories(tenant, [refNumber(1)]));
      expect(error.reason).toBe("DATA_DIRECTORY_CORRUPT");
      expect(JSON.stringify(error)).not.toContain("cardamom");
      expect((await ledger.checkEntries(tenant, 0, 10)).damaged).toMatchObject([{ sequence: 1, damage: "content" }]);
    }
    change("UPDATE changes SET record = ? WHERE tenant = 1 AND sequence = 1", one);
    await using ledger = await opened(first);
    expect((await ledger.memories(tenant, [refNumber(1)])).get(refNumber(1))?.memory.text).toBe("cardamom one");
  });

  test("takes a tenant in from a file with the same current key only, and needs the keys of its rows from then on", async () => {
    await writeCanaries(first);
    const other = temporaryDirectory();
    const from = join(directory, "ledger.sqlite");
    const copied = async (encryption: EncryptionKeys | undefined): Promise<void> => {
      const target = await openSqliteLedger({ directory: other.directory, encryption });
      try {
        while ((await target.move(tenant, { type: "copy", from })).isComplete !== true);
        await target.move(tenant, { type: "apply", changes: [], last: { builtHere: [] } });
        await target.move(tenant, { type: "arrive" });
        const [stored] = await target.byKeys(tenant, { scope: aliceScope, keys: ["fenugreek"] });
        expect(stored?.memory.tags).toEqual(["Saffron"]);
        // A pass that began before they came would not have seen them.
        expect(await target.encryption?.retireOtherKeys('{"arrivals":""}')).toBeUndefined();
      } finally {
        await target.close();
      }
    };
    await expect(copied(undefined)).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", field: "encryption" });
    await expect(copied(second)).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", field: "encryption" });
    // It is opened with the second key, whose rows are still under the first one.
    await (await openSqliteLedger({ directory, encryption: second })).close();
    await copied(second);
    const error = await refusal(
      openSqliteLedger({ directory: other.directory, encryption: { current: "second", keys: { second: keyOf(2) } } }),
    );
    expect(error.details).toEqual({ keyIds: "first" });
    other.remove();
  });

  test("counts what cannot be decrypted, seals the rest and keeps the keys", async () => {
    await writeCanaries(first);
    change("UPDATE changes SET record = replace(record, 'active', 'deleted') WHERE sequence = 1");
    await using ledger = await opened(second);
    const { encryption } = ledger;
    const sum = { looked: 0, sealed: 0, damaged: 0 };
    for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
      const step = await encryption?.reseal(next);
      for (const name of ["looked", "sealed", "damaged"] as const) sum[name] += step?.[name] ?? 0;
      next = step?.next;
    }
    expect(sum).toEqual({ looked: 5, sealed: 4, damaged: 1 });
    const rows = await encryption?.rows();
    expect([...(rows?.byKey ?? [])]).toEqual([
      ["first", 1],
      ["second", 4],
    ]);
  });
});
