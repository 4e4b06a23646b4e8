import { deepEqual, equal, ok } from "node:assert/strict";
import { globalScope, type Scope, type TenantId } from "@loci/domain";
import { type Idempotency, type ListQuery, memoryEntryOf } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, type LedgerContext, authorOf, refsOf } from "./ledger-context.ts";
import { sampleMark } from "./recall-mark-cases.ts";
import {
  beginning,
  contentHashOf,
  dayMilliseconds,
  otherSpace,
  refNumber,
  removed,
  sampleEmbedding,
  sampleMemory,
  sampleVector,
  space,
  written,
} from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };
const everywhere: ListQuery = { scopes: [alice, bob, globalScope], evaluationTime: beginning, limit: 100 };

/** Everything a tenant's reads give, to be compared. */
async function everythingOf(context: LedgerContext, tenant: TenantId = context.tenant): Promise<unknown> {
  const { ledger } = context;
  return [
    await ledger.changes(tenant, 0, 100),
    await ledger.scan(tenant, { limit: 100 }),
    await ledger.list(tenant, everywhere),
    await ledger.byTags(tenant, { ...everywhere, tags: ["tag"] }),
    await ledger.asKnownAt(tenant, { ...everywhere, knownAt: beginning + 10 }),
    await ledger.embeddings(tenant, space, ["one", "two", "shared"].map(contentHashOf)),
    await ledger.settings.list(tenant, ""),
    await ledger.modelUsage.read(tenant),
  ];
}

/** Memory 1 of Alice with two versions, a vector and a usage; memory 2 of Bob shares a text with the first version. */
async function fill(context: LedgerContext, tenant: TenantId = context.tenant): Promise<void> {
  const { ledger } = context;
  const author = authorOf(tenant);
  const provenance = { sourceId: "source", kind: "conversation", position: 3 } as const;
  const first = sampleMemory(1, { text: "shared", tags: ["tag"], provenance });
  await context.commit([written(first), written(sampleMemory(2, { text: "shared", scope: bob, tags: ["tag"] }))], {
    ...author,
    embeddings: [sampleEmbedding("shared")],
    idempotency: { method: "remember", requestId: "first", bodyHash: "a" },
  });
  const edited = { ...first, text: "one", version: 2 };
  await context.commit([written(edited)], { ...author, embeddings: [sampleEmbedding("one", 2)] });
  const contentHash = contentHashOf("one");
  await context.commit([{ type: "embeddingRecorded", ref: refNumber(1), version: 2, space, contentHash }], {
    ...author,
  });
  await context.commit([written(sampleMemory(3, { text: "two", scope: globalScope }))], author);
  await ledger.recordUsage(tenant, [{ ref: refNumber(1), at: beginning }]);
  await ledger.recordShown(tenant, [refNumber(1), refNumber(2)]);
  await ledger.recallMarks.record(tenant, [sampleMark([1, 2])]);
  await ledger.embeddingCache.set(tenant, new Map([["key", sampleVector(1)]]));
  await ledger.settings.set(tenant, "setting", "kept");
}

/** Removing for good. */
export const purgeCases: LedgerCaseFile = {
  covers: ["maintain", "purge", "purged", "size"],
  cases: [
    {
      method: "purge",
      name: "leaves nothing of the memories in any read, and everything of the others",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        deepEqual(await ledger.purge(tenant, { refs: [refNumber(1), refNumber(99)] }), {
          memories: 1,
          resources: 0,
          head: 6,
        });
        equal((await ledger.memories(tenant, [refNumber(1)])).size, 0);
        deepEqual(await ledger.versions(tenant, refNumber(1)), []);
        deepEqual(refsOf(await ledger.scan(tenant, { limit: 9 })), [2, 3].map(refNumber));
        deepEqual(refsOf(await ledger.list(tenant, everywhere)), [3, 2].map(refNumber));
        deepEqual(refsOf(await ledger.byTags(tenant, { ...everywhere, tags: ["tag"] })), [refNumber(2)]);
        deepEqual(await ledger.tags(tenant, { scopes: [alice], category: "fact" }), []);
        deepEqual(await ledger.byTexts(tenant, { scope: alice, texts: ["shared"], limitOfEach: 9 }), []);
        const known = await ledger.asKnownAt(tenant, { ...everywhere, knownAt: beginning + 10 });
        deepEqual(refsOf(known), [2, 3].map(refNumber));
        deepEqual(await ledger.atPositions(tenant, [alice], [{ sourceId: "source", position: 3 }]), []);
        equal(await ledger.lastPosition(tenant, alice, "source"), undefined);
        const { owner } = sampleMark([1]);
        const refs = [refNumber(1), refNumber(2)];
        const marks = { owner, session: "none", shownTo: "otherSessions", refs } as const;
        deepEqual([...(await ledger.recallMarks.lastShown(tenant, marks)).keys()], [refNumber(2)]);
        deepEqual([...(await ledger.shownCounts(tenant, refs)).keys()], [refNumber(2)]);
        equal((await ledger.embeddingCache.get(tenant, ["key"])).size, 0);
        equal(await ledger.count(tenant), 2);
      },
    },
    {
      method: "purge",
      name: "removes the embeddings that no other version has",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        await context.commit([], { embeddings: [sampleEmbedding("one", 3, otherSpace)] });
        await ledger.purge(tenant, { refs: [refNumber(1)] });
        const hashes = ["one", "shared"].map(contentHashOf);
        deepEqual([...(await ledger.embeddings(tenant, space, hashes)).keys()], [contentHashOf("shared")]);
        equal((await ledger.embedded(tenant, otherSpace, hashes)).size, 0);
      },
    },
    {
      method: "purge",
      name: "keeps the log without gaps: its entries become removals without content, and one more is appended",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        const before = await ledger.changes(tenant, 0, 100);
        context.clock.now += 50;
        const heads: number[] = [];
        const stop = ledger.onCommitted((changed, head) => void (changed === tenant && heads.push(head)));
        await ledger.purge(tenant, { refs: [refNumber(1)] });
        stop();
        ok(heads.includes(6), "the removal was not announced");
        const removal = (version: number, sequence: number): unknown => {
          const recordedAt = before[sequence - 1]?.recordedAt ?? beginning + 50;
          return { sequence, recordedAt, ...memoryEntryOf(removed(refNumber(1), version, recordedAt)) };
        };
        const after = await ledger.changes(tenant, 0, 100);
        deepEqual(after, [removal(1, 1), before[1], removal(2, 3), removal(2, 4), before[4], removal(3, 6)]);
        equal(JSON.stringify(after).includes(contentHashOf("one")), false);
      },
    },
    {
      method: "purge",
      name: "of a tombstone appends nothing; of what is gone already it does nothing",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1), sampleMemory(2));
        await context.commit([removed(refNumber(1), 2)]);
        deepEqual(await ledger.purge(tenant, { refs: [refNumber(1)] }), { memories: 1, resources: 0, head: 3 });
        deepEqual(await ledger.purge(tenant, { refs: [refNumber(1)] }), { memories: 0, resources: 0, head: 3 });
        deepEqual(await ledger.purge(`${tenant} unknown` as TenantId, { everything: true }), {
          memories: 0,
          resources: 0,
          head: 0,
        });
      },
    },
    {
      method: "purge",
      name: "refuses every later commit that names the memory",
      run: async (context) => {
        await fill(context);
        await context.ledger.purge(context.tenant, { refs: [refNumber(1)] });
        const contentHash = contentHashOf("one");
        const recorded = { type: "embeddingRecorded", ref: refNumber(1), version: 2, space, contentHash } as const;
        for (const change of [written(sampleMemory(1)), written(sampleMemory(1, { version: 4 })), recorded])
          await expectRefusal(() => context.commit([change]), "MEMORY_ERASED");
        const expect = [{ ref: refNumber(1), version: 0 }];
        await expectRefusal(() => context.commit([written(sampleMemory(9))], { expect }), "MEMORY_ERASED");
      },
    },
    {
      method: "purge",
      name: "lets no request that stored what was purged be carried out anew, and keeps none of its words",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const request = (requestId: string, bodyHash = "a"): Idempotency => ({
          method: "remember",
          requestId,
          bodyHash,
        });
        const both = [written(sampleMemory(1)), written(sampleMemory(2))];
        const first = await context.commit(both, { idempotency: request("both") });
        await context.commit([written(sampleMemory(3))], { idempotency: request("other") });
        await ledger.purge(tenant, { refs: [refNumber(1)] });
        const head = await ledger.head(tenant);
        const again = [written(sampleMemory(11)), written(sampleMemory(12))];
        for (const body of ["a", "b"])
          await expectRefusal(() => context.commit(again, { idempotency: request("both", body) }), "MEMORY_ERASED");
        equal(await ledger.head(tenant), head);
        const kept = await context.commit([written(sampleMemory(13))], { idempotency: request("other") });
        deepEqual([kept.replayed, kept.results[0]?.ref], [true, refNumber(3)]);
        // Of the whole tenant, twice, as after an interruption.
        for (let time = 0; time < 2; time++) await ledger.purge(tenant, { everything: true });
        for (const requestId of ["both", "other"])
          await expectRefusal(() => context.commit(again, { idempotency: request(requestId) }), "MEMORY_ERASED");
        // For as long as a request can be repeated.
        clock.now += 7 * dayMilliseconds;
        const later = await context.commit(again, { idempotency: request("both") });
        deepEqual([later.replayed, first.replayed], [false, false]);
        await ledger.purge(tenant, { everything: true });
        await expectRefusal(() => context.commit(again, { idempotency: request("both") }), "MEMORY_ERASED");
      },
    },
    {
      method: "purge",
      name: "of scopes takes all that is in them, tombstones too, and nothing else",
      run: async (context) => {
        const { ledger, tenant } = context;
        const memories = Array.from({ length: 1_200 }, (_, index) =>
          sampleMemory(index + 1, { scope: [alice, bob, globalScope][index % 3] as Scope }),
        );
        await context.remember(...memories);
        await context.commit([removed(refNumber(1), 2)]);
        const purged = await ledger.purge(tenant, { scopes: [alice, globalScope] });
        deepEqual(purged, { memories: 800, resources: 0, head: 1_200 + 1 + 799 });
        const left = await ledger.scan(tenant, { limit: 2_000 });
        equal(left.length, 400);
        ok(left.every(({ memory }) => memory.scope.id === "bob"));
        // The scope may be used again.
        await context.remember(sampleMemory(5_000));
        deepEqual(refsOf(await ledger.list(tenant, { ...everywhere, scopes: [alice] })), [refNumber(5_000)]);
      },
    },
    {
      method: "purge",
      name: "of everything takes what the tenant has beside its memories, and leaves other tenants as they were",
      run: async (context) => {
        const { ledger, tenant } = context;
        const other = `${tenant}'` as TenantId;
        const usage = { model: "m", inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
        for (const filled of [tenant, other]) {
          await fill(context, filled);
          await ledger.modelUsage.add(filled, usage);
        }
        const before = await everythingOf(context, other);
        equal((await ledger.purge(tenant, { everything: true })).memories, 3);
        deepEqual(await everythingOf(context, other), before);
        equal((await ledger.embeddingCache.get(other, ["key"])).size, 1);
        deepEqual(await ledger.scan(tenant, { limit: 9 }), []);
        deepEqual(await ledger.modelUsage.read(tenant), []);
        equal((await ledger.settings.list(tenant, "")).size, 0);
        equal((await ledger.embedded(tenant, space, ["one", "two", "shared"].map(contentHashOf))).size, 0);
        ok((await ledger.changes(tenant, 0, 100)).every(({ kind }) => kind === "memoryRemoved"));
      },
    },
    {
      method: "purged",
      name: "names what was purged, by ref, a page at a time",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(...[5, 1, 3, 2].map((number) => sampleMemory(number)));
        context.clock.now += 7;
        await ledger.purge(tenant, { refs: [5, 1, 3].map(refNumber) });
        const expected = [1, 3, 5].map((number) => ({ ref: refNumber(number), purgedAt: beginning + 7 }));
        deepEqual(await ledger.purged(tenant, { limit: 10 }), expected);
        deepEqual(await ledger.purged(tenant, { limit: 2 }), expected.slice(0, 2));
        deepEqual(await ledger.purged(tenant, { limit: 2, after: refNumber(3) }), expected.slice(2));
        deepEqual(await ledger.purged(`${tenant} ` as TenantId, { limit: 10 }), []);
        const refs = [3, 2, 1, 77].map(refNumber);
        deepEqual(await ledger.purged(tenant, { limit: 10, refs }), expected.slice(0, 2));
        deepEqual(await ledger.purged(tenant, { limit: 1, refs, after: refNumber(1) }), expected.slice(1, 2));
        deepEqual(await ledger.purged(tenant, { limit: 10, refs: [] }), []);
      },
    },
    {
      method: "maintain",
      name: "changes nothing that can be read",
      run: async (context) => {
        await fill(context);
        const before = await everythingOf(context);
        for (const scrub of [false, true]) {
          const { reclaimedBytes, unproven } = await context.ledger.maintain({ scrub });
          ok(reclaimedBytes >= 0 && unproven.every((sentence) => sentence !== ""));
          deepEqual(await everythingOf(context), before);
        }
        equal((await context.remember(sampleMemory(9))).sequence, 6);
      },
    },
    {
      method: "size",
      name: "grows with what is stored",
      run: async (context) => {
        const before = await context.ledger.size();
        ok(before > 0 && Number.isSafeInteger(before));
        for (let number = 1; number <= 20; number++)
          await context.remember(sampleMemory(number, { text: `${number} ${"x".repeat(20_000)}` }));
        ok((await context.ledger.size()) > before);
      },
    },
  ],
};
