import { deepEqual, equal } from "node:assert/strict";
import { globalScope, type TenantId } from "@loci/domain";
import type { CommitBatch, Ledger } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, authorOf } from "./ledger-context.ts";
import { sampleUsage } from "./model-usage-cases.ts";
import { sampleReceipt } from "./receipt-cases.ts";
import { sampleMark } from "./recall-mark-cases.ts";
import {
  beginning,
  contentHashOf,
  refNumber,
  sampleEmbedding,
  sampleMemory,
  sampleVector,
  space,
  written,
} from "./samples.ts";

const tenant = "lifecycle" as TenantId;

function batch(number: number, rest: Partial<CommitBatch> = {}): CommitBatch {
  return { ...authorOf(tenant), expect: [], changes: [written(sampleMemory(number))], ...rest };
}

/** Every method, called with something harmless. The type makes sure that none is left out. */
const calls: Readonly<
  Record<
    Exclude<
      keyof Ledger,
      | "close"
      | "onCommitted"
      | "onLeaseAskedFor"
      | "checkpoints"
      | "embeddingCache"
      | "encryption"
      | "jobs"
      | "modelUsage"
      | "recallMarks"
      | "receipts"
      | "resources"
      | "settings"
    >,
    (ledger: Ledger) => Promise<unknown>
  >
> = {
  commit: (ledger) => ledger.commit(batch(1)),
  tenants: (ledger) => ledger.tenants(),
  count: (ledger) => ledger.count(tenant),
  refs: (ledger) =>
    ledger.refs(tenant, {
      kinds: ["user"],
      scopes: [],
      states: ["active"],
      evaluationTime: 0,
      order: "uses",
      limit: 1,
    }),
  scopes: (ledger) => ledger.scopes(tenant, { kinds: ["user"], scopes: [], limit: 1 }),
  scan: (ledger) => ledger.scan(tenant, { limit: 1 }),
  purge: (ledger) => ledger.purge(tenant, { refs: [refNumber(9)] }),
  purged: (ledger) => ledger.purged(tenant, { limit: 1 }),
  size: (ledger) => ledger.size(),
  maintain: (ledger) => ledger.maintain({ scrub: false }),
  changes: (ledger) => ledger.changes(tenant, 0, 1),
  checkEntries: (ledger) => ledger.checkEntries(tenant, 0, 1),
  head: (ledger) => ledger.head(tenant),
  answered: (ledger) => ledger.answered(tenant, { subject: "s", method: "m", requestId: "r", bodyHash: "b" }),
  decisions: (ledger) => ledger.decisions(tenant, "expire", [refNumber(1)]),
  lease: (ledger) => ledger.lease(tenant, "p"),
  askForLease: (ledger) => ledger.askForLease?.(tenant, "p") ?? ledger.lease(tenant, "p"),
  pending: (ledger) => ledger.pending("p"),
  resetProjection: (ledger) => ledger.resetProjection("p"),
  memories: (ledger) => ledger.memories(tenant, [refNumber(1)]),
  versions: (ledger) => ledger.versions(tenant, refNumber(1)),
  list: (ledger) => ledger.list(tenant, { scopes: [globalScope], evaluationTime: 0, limit: 1 }),
  standing: (ledger) => ledger.standing(tenant, { scopes: [globalScope], evaluationTime: 0, limit: 1 }),
  byTags: (ledger) => ledger.byTags(tenant, { scopes: [globalScope], evaluationTime: 0, limit: 1, tags: ["a"] }),
  tags: (ledger) => ledger.tags(tenant, { scopes: [globalScope], category: "fact" }),
  asKnownAt: (ledger) => ledger.asKnownAt(tenant, { scopes: [globalScope], knownAt: 0, limit: 1 }),
  bySlots: (ledger) => ledger.bySlots(tenant, { scopes: [globalScope], slots: ["a"], limitOfEach: 1 }),
  byTexts: (ledger) => ledger.byTexts(tenant, { scope: globalScope, texts: ["a"], limitOfEach: 1 }),
  byKeys: (ledger) => ledger.byKeys(tenant, { scope: globalScope, keys: ["a"] }),
  // Not every ledger has it: one that has none is asked for what it saves, as above.
  withNeighbours: (ledger) =>
    ledger.withNeighbours?.(tenant, [globalScope], [refNumber(1)]) ?? ledger.memories(tenant, [refNumber(1)]),
  atPositions: (ledger) => ledger.atPositions(tenant, [globalScope], [{ sourceId: "a", position: 0 }]),
  lastPosition: (ledger) => ledger.lastPosition(tenant, globalScope, "a"),
  embeddings: (ledger) => ledger.embeddings(tenant, space, [contentHashOf("a")]),
  embedded: (ledger) => ledger.embedded(tenant, space, [contentHashOf("a")]),
  withoutEmbedding: (ledger) => ledger.withoutEmbedding(tenant, space, 1),
  tenantsWithoutEmbeddings: (ledger) => ledger.tenantsWithoutEmbeddings(space),
  recordUsage: (ledger) => ledger.recordUsage(tenant, [{ ref: refNumber(1), at: 0 }]),
  recordShown: (ledger) => ledger.recordShown(tenant, [refNumber(1)]),
  shownCounts: (ledger) => ledger.shownCounts(tenant, [refNumber(1)]),
};

/** Closing, and what is there afterwards. */
export const lifecycleCases: LedgerCaseFile = {
  covers: ["close"],
  cases: [
    {
      method: "close",
      name: "finishes what was accepted, may be called again, and ends everything else",
      run: (context) =>
        context.withFresh(async ({ ledger, reopen }) => {
          const lease = await ledger.lease(tenant, "p");
          const accepted = Array.from({ length: 1500 }, (_, index) => ledger.commit(batch(index + 1)));
          const reading = ledger.changes(tenant, 0, 1000);
          const closing = [ledger.close(), ledger.close()];
          for (const [name, call] of Object.entries(calls))
            equal((await expectRefusal(() => call(ledger), "CLOSED")).code, "FAILED_PRECONDITION", name);
          await expectRefusal(() => ledger.modelUsage.read(tenant), "CLOSED");
          await expectRefusal(() => ledger.modelUsage.add(tenant, sampleUsage), "CLOSED");
          await expectRefusal(() => ledger.embeddingCache.get(tenant, ["a"]), "CLOSED");
          await expectRefusal(() => ledger.embeddingCache.set(tenant, new Map([["a", sampleVector(1)]])), "CLOSED");
          await expectRefusal(async () => lease?.acknowledge(1), "CLOSED");
          await expectRefusal(() => ledger.recallMarks.record(tenant, [sampleMark([1])]), "CLOSED");
          await expectRefusal(
            () => ledger.recallMarks.lastShown(tenant, { ...sampleMark([1]), shownTo: "session" }),
            "CLOSED",
          );
          await expectRefusal(() => ledger.receipts.record(tenant, [sampleReceipt(1)], 10), "CLOSED");
          await expectRefusal(() => ledger.receipts.list(tenant, { limit: 1 }), "CLOSED");
          await expectRefusal(() => ledger.receipts.get(tenant, refNumber(1)), "CLOSED");
          const read = { ref: refNumber(1), reading: "words" };
          await expectRefusal(
            () => ledger.checkpoints.add(tenant, read, [{ through: 1, outline: "", state: "" }]),
            "CLOSED",
          );
          await expectRefusal(() => ledger.checkpoints.outlines(tenant, read), "CLOSED");
          await expectRefusal(() => ledger.checkpoints.state(tenant, read, 1), "CLOSED");
          await expectRefusal(() => ledger.settings.get(tenant, "a"), "CLOSED");
          await expectRefusal(() => ledger.settings.set(tenant, "a", "1"), "CLOSED");
          await expectRefusal(() => ledger.settings.list(tenant, "a"), "CLOSED");
          await lease?.release();
          await Promise.all([...accepted, ...closing, reading]);
          await ledger.close();
          equal(await (await reopen()).head(tenant), accepted.length);
        }),
    },
    {
      method: "close",
      name: "keeps everything for the next time",
      run: (context) =>
        context.withFresh(async ({ ledger, reopen }) => {
          const idempotency = { method: "m", requestId: "r", bodyHash: "b" };
          const first = await ledger.commit(batch(1, { idempotency, embeddings: [sampleEmbedding("memory 1")] }));
          await ledger.recordUsage(tenant, [{ ref: refNumber(1), at: beginning }]);
          await ledger.embeddingCache.set(tenant, new Map([["key", sampleVector(7)]]));
          await ledger.modelUsage.add(tenant, { ...sampleUsage, session: "one" });
          const lease = await ledger.lease(tenant, "p");
          await lease?.acknowledge(1);
          const seen = async (open: Ledger): Promise<unknown> => [
            await open.changes(tenant, 0, 10),
            await open.versions(tenant, refNumber(1)),
            await open.embeddings(tenant, space, [contentHashOf("memory 1")]),
            await open.modelUsage.read(tenant),
            await open.modelUsage.read(tenant, "one"),
            await open.embeddingCache.get(tenant, ["key"]),
            await open.pending("p"),
          ];
          const before = await seen(ledger);
          await ledger.close();
          const again = await reopen();
          deepEqual(await seen(again), before);
          deepEqual(await again.commit(batch(2, { idempotency })), { ...first, replayed: true });
          // The clock was set back while it was closed.
          context.clock.now -= 1000;
          const next = await again.commit(batch(2));
          deepEqual([next.sequence, next.recordedAt], [2, beginning]);
        }),
    },
  ],
};
