import type { ContentHash, MemoryRecord, Ref, Scope, TenantId, Version } from "@loci/domain";
import type { Change, CommitBatch } from "@loci/ledger";
import {
  encodeCommit,
  indexedFieldsOf,
  type KnownMemory,
  type KnownState,
  placedKey,
  placedText,
  planCommits,
  textKeyOf,
} from "@loci/ledger/sql";
import { expect, test } from "vitest";
import { contentHashOf, sampleMemory } from "../src/conformance/samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const hash = "hash" as ContentHash;
const refOf = (name: string): Ref => name as Ref;

function memory(name: string, changes: Partial<MemoryRecord> = {}): MemoryRecord {
  return sampleMemory(1, { id: refOf(name), text: `text of ${name}`, ...changes });
}

const written = (record: MemoryRecord): Change => ({
  type: "memoryWritten",
  memory: record,
  contentHash: contentHashOf(record.text),
});

function batch(changes: readonly Change[], rest: Partial<CommitBatch> = {}): ReturnType<typeof encodeCommit> {
  return encodeCommit({
    tenant: "tenant" as TenantId,
    author: { subject: "local" },
    scopePatterns: ["*"],
    expect: [],
    changes,
    ...rest,
  });
}

/** A log of 10 entries with memory `old`, made by the last of them. */
function known(rest: Partial<KnownState> = {}): KnownState {
  const old: KnownMemory = {
    version: 1,
    sequence: 10,
    scope: alice,
    isActive: true,
    isPurged: false,
    contentHash: hash,
    memory: memory("old"),
  };
  return {
    end: { head: 10, recordedAt: 100, now: 50 },
    memories: new Map([
      [refOf("old"), old],
      [refOf("gone"), { ...old, version: 0, isActive: false, isPurged: true, memory: undefined }],
    ]),
    resources: new Map(),
    texts: new Map([[placedText(alice, textKeyOf("text of old")), new Map<Ref, Version>([[refOf("old"), 1]])]]),
    keys: new Map(),
    answers: new Map(),
    ...rest,
  };
}

test("batches that share a transaction see one another, and time never goes back", () => {
  const plan = planCommits(known(), [
    batch([written(memory("new")), written(memory("old", { version: 2 }))], { reason: "EDITED" }),
    batch([{ type: "memoryRemoved", ref: refOf("old"), version: 3, removedAt: 7 }], {
      expect: [{ ref: refOf("old"), version: 2 }],
    }),
  ]);
  expect(plan.outcomes.map(({ succeeded }) => succeeded)).toEqual([true, true]);
  expect([plan.head, plan.recordedAt]).toEqual([13, 100]);
  expect(plan.entries.map(({ kind, sequence, previous, reason }) => [kind, sequence, previous, reason])).toEqual([
    ["memoryWritten", 11, null, "EDITED"],
    ["memoryWritten", 12, 10, "EDITED"],
    ["memoryRemoved", 13, 12, undefined],
  ]);
  expect(plan.ended).toMatchObject([{ sequence: 10, ended: 12, memory: { id: "old" } }]);
  expect(plan.versions.map(({ sequence, ended }) => [sequence, ended])).toEqual([
    [11, null],
    [12, 13],
    [13, null],
  ]);
  expect(plan.current.map(({ ref, version, fields }) => [ref, version, fields.state])).toEqual([
    ["old", 3, "deleted"],
    ["new", 1, "active"],
  ]);
});

test("a batch that is refused leaves no trace, whatever of it could have been written", () => {
  const decisions = [{ ref: refOf("old"), reason: "DORMANT", details: {} }];
  const idempotency = { method: "m", requestId: "r", bodyHash: "b" };
  const plan = planCommits(known(), [
    batch([written(memory("new")), written(memory("old"))], { decisions, idempotency }),
    batch([written(memory("gone"))]),
    batch([], { decisions: [{ ref: refOf("gone"), reason: "DORMANT", details: {} }] }),
    batch([written(memory("new"))], { scopePatterns: ["user:bob"] }),
    batch([written(memory("new"))]),
  ]);
  expect(plan.outcomes.map((outcome) => (outcome.succeeded ? "done" : outcome.error.reason))).toEqual([
    "VERSION_CONFLICT",
    "MEMORY_ERASED",
    "MEMORY_ERASED",
    "SCOPE_NOT_PERMITTED",
    "done",
  ]);
  expect(plan).toMatchObject({ head: 11, decisions: [], answers: [] });
  expect(plan.entries).toHaveLength(1);
});

test("a request is carried out once in a group, and the second is given the first one's answer", () => {
  const idempotency = { method: "m", requestId: "r", bodyHash: "b" };
  const plan = planCommits(known(), [
    batch([written(memory("new"))], { idempotency }),
    batch([written(memory("other"))], { idempotency }),
    batch([written(memory("other"))], { idempotency: { ...idempotency, bodyHash: "c" } }),
    batch([written(memory("other"))], { idempotency, author: { subject: "somebody else" } }),
  ]);
  expect(plan.outcomes).toMatchObject([
    { committed: { sequence: 11, replayed: false, results: [{ ref: "new" }] } },
    { committed: { sequence: 11, replayed: true, results: [{ ref: "new" }] } },
    { succeeded: false, error: { reason: "REQUEST_ID_REUSED" } },
    { committed: { sequence: 12, replayed: false } },
  ]);
  expect(plan.answers.map(({ subject }) => subject)).toEqual(["local", "somebody else"]);
});

test("a text is free again once the memory that had it says something else", () => {
  const expectTexts = [{ scope: alice, text: "text of old", known: [] }];
  const again = batch([written(memory("new", { text: "text of old" }))], { expectTexts });
  const [alone] = planCommits(known(), [again]).outcomes;
  expect(alone).toMatchObject({ succeeded: false, error: { reason: "VERSION_CONFLICT", resource: "old" } });
  const edit = batch([written(memory("old", { version: 2, text: "something else" }))]);
  const outcomes = planCommits(known(), [edit, again, again]).outcomes;
  expect(outcomes.map(({ succeeded }) => succeeded)).toEqual([true, true, false]);
});

test("what is planned is what memories are found by", () => {
  const tagged = memory("new", { tags: ["Deploy", "deploy"], slot: "theme" });
  const plan = planCommits(known(), [batch([written(tagged)])]);
  expect(plan.current[0]?.fields).toEqual(indexedFieldsOf(tagged));
  expect(JSON.parse(plan.entries[0]?.record ?? "")).toEqual(tagged);
});

test("keys pass from one batch to the next, and from one change of a batch to the next", () => {
  const keyed = (name: string, changes: Partial<MemoryRecord> = {}): Change =>
    written(memory(name, { key: "theme", ...changes }));
  const forgotten: Change = { type: "memoryRemoved", ref: refOf("old"), version: 2, removedAt: 7 };
  const state = known({ keys: new Map([[placedKey(alice, "theme"), refOf("old")]]) });
  const plan = planCommits(state, [
    batch([keyed("first")]),
    batch([keyed("first"), forgotten]),
    batch([keyed("elsewhere", { scope: { kind: "user", id: "bob" } })]),
    batch([forgotten, keyed("first"), keyed("first", { version: 2 })]),
    batch([keyed("second")]),
    batch([{ type: "memoryRemoved", ref: refOf("first"), version: 3, removedAt: 7 }]),
    batch([keyed("second")]),
    batch([keyed("old", { version: 3 })]),
  ]);
  expect(plan.outcomes.map((outcome) => (outcome.succeeded ? "taken" : outcome.error.reason))).toEqual([
    "MEMORY_EXISTS",
    "MEMORY_EXISTS",
    "taken",
    "taken",
    "MEMORY_EXISTS",
    "taken",
    "taken",
    "MEMORY_EXISTS",
  ]);
});
