import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ContentHash, globalScope } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoriesFamily, memoryChangeOf } from "@loci/ledger";
import { openForWriting } from "../src/connection.ts";
import { openSqliteLedger } from "../src/index.ts";
import { migrate, migrations } from "../src/migrations.ts";
import { batchOf, refNumber, sampleBatch, sampleMemory, space, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

function schemaOf(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
    .all()
    .map((row) => [row["type"], row["name"], String(row["sql"]).replaceAll(/--.*|\s+/g, "")]);
}

function restoreFixture(version: number): void {
  const database = new DatabaseSync(join(directory, "ledger.sqlite"), { enableForeignKeyConstraints: false });
  database.exec(readFileSync(join(import.meta.dirname, "fixtures", `version-${version}.sql`), "utf8"));
  database.close();
}

test.each(migrations.map((_, index) => index + 1))("a file of version %i gets today's schema", (version) => {
  restoreFixture(version);
  const migrated = openForWriting(join(directory, "ledger.sqlite"));
  const fresh = openForWriting(join(directory, "fresh.sqlite"));
  expect(schemaOf(migrated)).toEqual(schemaOf(fresh));
  expect(migrated.prepare("PRAGMA user_version").get()).toEqual({ user_version: migrations.length });
  expect(migrated.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  migrated.close();
  fresh.close();
});

/** The fixture's hashes are numbers. */
const fixtureHash = (number: number): ContentHash => number.toString(16).padStart(64, "0") as ContentHash;

test("a ledger of the first version still says all it said", async () => {
  restoreFixture(1);
  const ledger = await openSqliteLedger({ directory });
  const [first] = await ledger.versions(tenant, refNumber(1));
  const provenance = { sourceId: "ADR-007", kind: "adr", position: 3 };
  expect(first).toEqual({
    memory: { ...sampleMemory(1, { tags: ["Deploy"] }), provenance },
    recordedAt: 1_800_000_000_000,
    sequence: 1,
    contentHash: fixtureHash(1),
    usage: { accessCount: 1, lastAccessedAt: 7 },
  });
  expect((await ledger.versions(tenant, refNumber(2))).map(({ memory }) => [memory.text, memory.state])).toEqual([
    ["memory 2", "active"],
    ["edited", "active"],
    ["edited", "deleted"],
  ]);
  expect((await ledger.changes(tenant, 0, 10)).map(({ kind }) => kind)).toEqual([
    "memoryWritten",
    "memoryWritten",
    "memoryWritten",
    "memoryRemoved",
    "memoryWritten",
    "embeddingRecorded",
  ]);
  const query = { evaluationTime: 0, limit: 10 };
  expect((await ledger.list(tenant, { ...query, scopes: [globalScope] })).length).toBe(1);
  expect(
    (await ledger.byTags(tenant, { ...query, scopes: [{ kind: "user", id: "alice" }], tags: ["deploy"] })).length,
  ).toBe(1);
  expect((await ledger.embeddings(tenant, space, [fixtureHash(4)])).get(fixtureHash(4))).toEqual([
    Float32Array.of(1, 0),
  ]);
  expect((await ledger.embeddingCache.get(tenant, ["key"])).get("key")).toEqual(Float32Array.of(0.5));
  expect(await ledger.pending("index")).toEqual([{ tenant, head: 6, acknowledged: 2 }]);
  expect((await ledger.commit(batchOf(9))).sequence).toBe(7);
  await ledger.close();
});

test("a ledger of the second version still knows what model calls used", async () => {
  restoreFixture(2);
  const ledger = await openSqliteLedger({ directory });
  const account = { model: "model a", calls: 2, inputTokens: 200, cachedInputTokens: 80, outputTokens: 14 };
  expect(await ledger.modelUsage.read(tenant)).toEqual([account]);
  expect((await ledger.modelUsage.read(tenant, "one")).map(({ calls }) => calls)).toEqual([1]);
  await ledger.close();
});

test.each([1, 2, 3, 4, 5])(
  "a ledger of version %i says what was known at a time, and which tags there are",
  async (version) => {
    restoreFixture(version);
    const ledger = await openSqliteLedger({ directory });
    const scopes = [{ kind: "user", id: "alice" }, globalScope] as const;
    const knownAt = async (offset: number): Promise<readonly string[]> => {
      const known = await ledger.asKnownAt(tenant, { scopes, knownAt: 1_800_000_000_000 + offset, limit: 10 });
      return known.map(({ memory }) => memory.text);
    };
    expect(await knownAt(-1)).toEqual([]);
    expect(await knownAt(1)).toEqual(["memory 1", "memory 2"]);
    expect(await knownAt(2)).toEqual(["memory 1", "edited"]);
    expect(await knownAt(5)).toEqual(["memory 1", "memory 4"]);
    expect((await ledger.tags(tenant, { scopes, category: "fact" })).toSorted()).toEqual(["deploy", "tag"]);
    const marks = { owner: "alice", session: "two", shownTo: "otherSessions", refs: [refNumber(1)] } as const;
    expect((await ledger.recallMarks.lastShown(tenant, marks)).size).toBe(version < 3 ? 0 : 1);
    await ledger.close();
  },
);

test("a ledger of the sixteenth version still has its receipts", async () => {
  restoreFixture(16);
  const ledger = await openSqliteLedger({ directory });
  expect(await ledger.receipts.list(tenant, { limit: 2 })).toEqual([{ id: refNumber(11), summary: "summary" }]);
  expect(await ledger.receipts.get(tenant, refNumber(11))).toMatchObject({ body: Uint8Array.of(0, 255) });
  await ledger.close();
});

test("a ledger of the fifth version still knows how often memories were shown", async () => {
  restoreFixture(5);
  const ledger = await openSqliteLedger({ directory });
  await ledger.recordShown(tenant, [refNumber(1)]);
  expect([...(await ledger.shownCounts(tenant, [refNumber(1), refNumber(4)]))]).toEqual([[refNumber(1), 4]]);
  await ledger.close();
});

test("a ledger of the fourth version still knows what was erased, and its settings", async () => {
  restoreFixture(4);
  const ledger = await openSqliteLedger({ directory });
  expect(await ledger.purged(tenant, { limit: 9 })).toEqual([{ ref: refNumber(5), purgedAt: 1_800_000_000_007 }]);
  const removal = { type: "memoryRemoved", ref: refNumber(5) };
  expect((await ledger.changes(tenant, 6, 9)).map(memoryChangeOf)).toMatchObject([
    { ...removal, version: 1 },
    { ...removal, version: 2 },
  ]);
  expect(await ledger.settings.get(undefined, "index")).toBe("lancedb");
  expect(await ledger.settings.get(tenant, "job")).toBe("half way");
  await expect(ledger.commit(batchOf(5))).rejects.toMatchObject({ reason: "MEMORY_ERASED" });
  await ledger.close();
});

test("a ledger of the seventh version has a log of memories, written by nobody known", async () => {
  restoreFixture(7);
  const ledger = await openSqliteLedger({ directory });
  const memories = { families: [memoriesFamily] };
  const log = await ledger.changes(tenant, 0, 100);
  expect(log.map(({ family, author, reason }) => [family, author, reason])).toEqual(
    log.map(() => ["memories", undefined, undefined]),
  );
  expect(await ledger.changes(tenant, 0, 100, memories)).toEqual(log);
  expect(await ledger.head(tenant, memories)).toBe(8);
  expect((await ledger.commit(batchOf(9))).sequence).toBe(9);
  expect((await ledger.changes(tenant, 8, 9, memories)).map(({ author }) => author)).toEqual([{ subject: "local" }]);
  await ledger.close();
});

test("a ledger of the eighth version still says who was behind an entry, and what others wrote", async () => {
  restoreFixture(8);
  const ledger = await openSqliteLedger({ directory });
  const log = await ledger.changes(tenant, 0, 100);
  expect(log[3]).toMatchObject({ author: { subject: "local", activity: "expire" }, reason: "EXPIRED" });
  expect(log[8]).toMatchObject({ family: "sessions", kind: "turnAppended", payload: { content: "a turn" } });
  expect(await ledger.head(tenant, { families: [memoriesFamily] })).toBe(8);
  await ledger.close();
});

test("a ledger of the eighth version keeps what was decided about memories that are there", async () => {
  restoreFixture(8);
  const ledger = await openSqliteLedger({ directory });
  const refs = [1, 2, 5].map(refNumber);
  expect([...(await ledger.decisions(tenant, "reweigh", refs)).values()]).toEqual([
    { ref: refNumber(1), reason: "OFTEN_USED", details: { original: "0.4" } },
  ]);
  expect((await ledger.decisions(tenant, "expire", refs)).size).toBe(0);
  expect([...(await ledger.settings.list(tenant, "")).keys()]).toEqual(["job"]);
  await ledger.close();
});

test("a ledger of the ninth version still knows what was decided", async () => {
  restoreFixture(9);
  const ledger = await openSqliteLedger({ directory });
  expect([...(await ledger.decisions(tenant, "expire", [refNumber(2)])).values()]).toEqual([
    { ref: refNumber(2), reason: "EXPIRED", details: { expiresAt: "5" } },
  ]);
  await ledger.close();
});

test("a ledger of the tenth version keeps its resources, and takes jobs", async () => {
  restoreFixture(10);
  const ledger = await openSqliteLedger({ directory });
  const [kept] = (await ledger.resources.get(tenant, "notes", [refNumber(144)])).values();
  expect(kept).toMatchObject({ version: 1, group: "g", state: { title: "kept" } });
  const job = { id: "job", kind: "kind", request: "", keepMilliseconds: 1_000 };
  for (const owner of [tenant, undefined]) expect((await ledger.jobs.enqueue(owner, job)).state).toBe("queued");
  await ledger.close();
});

test("a job that ran when a ledger of the eleventh version was closed can be taken up at once", async () => {
  restoreFixture(11);
  const ledger = await openSqliteLedger({ directory, clock: () => 1_800_000_000_500 });
  const claimed = await ledger.jobs.claim({ kinds: ["kind"], worker: "other", leaseMilliseconds: 1_000 });
  expect(claimed?.job).toMatchObject({ tenant, id: "job", request: "request", attempts: 2, progress: "half" });
  await ledger.close();
});

test.each([12, 13, 14, 15])(
  "a ledger of version %i lists memories newest first, and by ref where they are of one moment",
  async (version) => {
    restoreFixture(version);
    const ledger = await openSqliteLedger({ directory });
    const same = [21, 23, 22].map((number) => sampleMemory(number, { createdAt: 50, updatedAt: 50 }));
    await ledger.commit(sampleBatch([...same, sampleMemory(60), sampleMemory(40)], [21, 23, 22, 60, 40]));
    const query = { scopes: [{ kind: "user", id: "alice" }] as const, evaluationTime: 0 };
    const listed = await ledger.list(tenant, { ...query, limit: 5 });
    const refs = listed.map(({ memory }) => memory.id);
    expect(refs).toEqual([60, 21, 22, 23, 40].map(refNumber));
    const after = { createdAt: 50, ref: refNumber(21) };
    const behind = await ledger.list(tenant, { ...query, after, limit: 3 });
    expect(behind.map(({ memory }) => memory.id)).toEqual([22, 23, 40].map(refNumber));
    await ledger.close();
  },
);

test.each([14, 15])("a ledger of version %i takes memories with keys, and knows those it has", async (version) => {
  restoreFixture(version);
  const ledger = await openSqliteLedger({ directory });
  const scope = { kind: "user", id: "alice" } as const;
  const withKey = async (...keys: string[]): Promise<readonly string[]> =>
    (await ledger.byKeys(tenant, { scope, keys })).map(({ memory }) => memory.text);
  expect(await withKey("theme")).toEqual(version < 15 ? [] : ["memory 9"]);
  const taken = await ledger.commit(sampleBatch([sampleMemory(20, { key: "theme" })], [20])).then(
    () => "taken",
    (error: { readonly reason: string }) => error.reason,
  );
  expect(taken).toBe(version < 15 ? "taken" : "MEMORY_EXISTS");
  await ledger.commit(sampleBatch([sampleMemory(21, { key: "other" })], [21]));
  expect((await withKey("other", "theme")).toSorted()).toEqual(
    version < 15 ? ["memory 20", "memory 21"] : ["memory 21", "memory 9"],
  );
  await ledger.close();
});

test("a disk that is full before there are tables is called full, and taken once it has room", async () => {
  const path = join(directory, "ledger.sqlite");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA max_page_count = 5");
  expect(() => migrate(database, path)).toThrow("full");
  expect(database.isTransaction).toBe(false);
  database.exec("PRAGMA max_page_count = 1000000");
  migrate(database, path);
  database.close();
});
