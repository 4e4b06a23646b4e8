import assert from "node:assert/strict";
import type { AssembledContext, ItemReceipt, KeptReceiptSummary, Loci } from "@loci/domain";
import { type BehaviourFile, readAndWrite, refuses } from "./behaviour-case.ts";

const alice = "user:alice";
const bob = "user:bob";
const scopeOfAlice = { kind: "user", id: "alice" } as const;

function ask(loci: Loci, scopes: readonly (typeof alice | typeof bob)[] = [alice]): Promise<AssembledContext> {
  return loci.assemble({ system: "Be brief.", query: "Which theme is used?", recall: { scopes } });
}

async function listed(loci: Loci): Promise<readonly KeptReceiptSummary[]> {
  return (await loci.receipts.list()).receipts;
}

function withoutSource(item: ItemReceipt): ItemReceipt {
  const { source: _, ...rest } = item;
  return rest;
}

const ids = async (loci: Loci): Promise<readonly string[]> => (await listed(loci)).map(({ id }) => id);

export const receiptCases: BehaviourFile = {
  covers: ["receipts.list", "receipts.get"],
  cases: [
    {
      name: "a receipt says what a context was made of, with versions and without text",
      run: async ({ loci }) => {
        const nord = await loci.memories.remember({
          text: "The theme is Nord.",
          scope: alice,
          provenance: { sourceId: "secret-source", kind: "document" },
        });
        const edited = await loci.memories.update(nord.id, { text: "The theme is Dracula." }, { etag: nord.etag });
        const before = Date.now();
        const context = await ask(loci);
        const { receiptId = "" } = context;
        const kept = await loci.receipts.get(receiptId);
        const { summary, receipt, memories, prefix } = kept;
        assert.deepEqual(memories, [{ id: edited.id, version: 2 }]);
        const items = context.receipt.items.map(withoutSource);
        assert.deepEqual(receipt, { ...context.receipt, items, droppedCandidates: [] });
        const { assembledAt, ...rest } = summary;
        assert.ok(assembledAt >= before && assembledAt <= Date.now() + 1);
        const outcomes = (wanted: string): number => items.filter(({ outcome }) => outcome === wanted).length;
        assert.deepEqual(rest, {
          id: receiptId,
          subject: "behaviour-suite",
          scopes: [scopeOfAlice],
          layout: context.receipt.layout,
          usage: context.usage,
          kept: outcomes("kept"),
          shortened: outcomes("shortened"),
          dropped: outcomes("dropped"),
          stablePrefixHash: context.receipt.stablePrefixHash,
          stablePrefixTokens: context.cache.stablePrefixTokens,
        });
        assert.deepEqual(
          prefix.map(({ name }) => name),
          context.cache.breakpointAfter === undefined ? [] : ["system"],
        );
        const { receipts, keepMilliseconds } = await loci.receipts.list();
        assert.deepEqual(receipts, [summary]);
        assert.ok(keepMilliseconds > 0);
        assert.doesNotMatch(JSON.stringify(kept), /Dracula|brief|theme|secret-source/i);
      },
    },
    {
      name: "looking leaves no receipt, and nothing changes in what is assembled",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "The theme is Nord.", scope: alice });
        const request = { query: "Which theme is used?", recall: { scopes: [alice] } } as const;
        const evaluationTime = Date.now();
        const looked = await loci.assemble({ ...request, evaluationTime, recordUsage: "none" });
        assert.equal(looked.receiptId, undefined);
        assert.equal((await loci.assemble({ ...request, explain: true })).receiptId, undefined);
        assert.deepEqual(await ids(loci), []);
        const used = await loci.assemble({ ...request, evaluationTime, recordUsage: "kept" });
        assert.deepEqual((await loci.receipts.get(used.receiptId ?? "")).receipt.sections, looked.receipt.sections);
        assert.deepEqual(used.receipt, looked.receipt);
      },
    },
    {
      name: "receipts are listed newest first, page by page",
      run: async ({ loci }) => {
        const made: (string | undefined)[] = [];
        for (let number = 0; number < 5; number++) made.unshift((await ask(loci)).receiptId);
        const first = await loci.receipts.list({ pageSize: 3 });
        const second = await loci.receipts.list({ pageSize: 3, pageToken: first.nextPageToken });
        assert.deepEqual(
          [...first.receipts, ...second.receipts].map(({ id }) => id),
          made,
        );
        assert.deepEqual([first.receipts.length, second.nextPageToken], [3, undefined]);
        await refuses(loci.receipts.list({ pageSize: 0 }), "INVALID_NUMBER", "pageSize");
        await refuses(loci.receipts.list({ pageToken: "made up" }), "INVALID_PAGE_TOKEN", "pageToken");
        await refuses(loci.receipts.get("made up"), "INVALID_IDENTIFIER", "id");
        await refuses(loci.receipts.get("01900000-0000-7000-8000-000000000001"), "RECEIPT_NOT_FOUND");
      },
    },
    {
      name: "who may not read one of its scopes finds no receipt, nor does another tenant",
      run: async ({ loci, as }) => {
        const onlyAlice = await as({ subject: "of-alice", scopePatterns: [alice] });
        const everyUser = await as({ subject: "of-users", scopePatterns: ["user:*"] });
        const stranger = await as({ tenant: "other" as never });
        const writer = await as({ subject: "writer", roles: ["write"] });
        const own = (await ask(onlyAlice)).receiptId ?? "";
        const both = (await ask(loci, [alice, bob])).receiptId ?? "";
        assert.deepEqual(await ids(loci), [both, own]);
        assert.deepEqual(await ids(everyUser), [both, own]);
        assert.deepEqual(await ids(onlyAlice), [own]);
        assert.deepEqual(await ids(stranger), []);
        await refuses(onlyAlice.receipts.get(both), "RECEIPT_NOT_FOUND");
        await refuses(stranger.receipts.get(own), "RECEIPT_NOT_FOUND");
        await refuses(writer.receipts.list(), "ROLE_REQUIRED");
        await refuses(writer.receipts.get(own), "ROLE_REQUIRED");
      },
    },
    {
      name: "a receipt without a scope is read by keys with no other scopes",
      run: async ({ loci, as }) => {
        const onlyAlice = await as({ subject: "of-alice", scopePatterns: [alice] });
        const onlyBob = await as({ subject: "of-bob", scopePatterns: [bob] });
        const { receiptId = "" } = await onlyAlice.assemble({ system: "Be brief.", query: "Hello?" });
        assert.deepEqual([await ids(onlyAlice), await ids(loci)], [[receiptId], [receiptId]]);
        assert.deepEqual(await ids(onlyBob), []);
        await refuses(onlyBob.receipts.get(receiptId), "RECEIPT_NOT_FOUND");
      },
    },
    {
      name: "the receipt of a session's context names the session and the owners of its blocks",
      run: async ({ loci, as }) => {
        const session = { scope: alice, id: "chat" } as const;
        await loci.sessions.create({ ...session, agent: "coach" });
        await loci.sessions.append(session, {
          turns: [{ role: "user", content: "Which theme is used?" }],
          expectedLast: 0,
        });
        const { receiptId = "" } = await loci.assemble({ session, query: "Which theme is used?" });
        const { summary } = await loci.receipts.get(receiptId);
        assert.deepEqual(summary.session, { scope: scopeOfAlice, id: "chat" });
        assert.deepEqual(summary.scopes, [scopeOfAlice, { kind: "agent", id: "coach" }]);
        const onlyAlice = await as({ scopePatterns: [alice] });
        assert.deepEqual(await ids(onlyAlice), []);
      },
    },
    {
      name: "what is erased takes along the receipts that name it",
      run: async ({ loci, as }) => {
        const admin = await as({ roles: [...readAndWrite, "admin"] });
        await loci.memories.remember({ text: "The theme is Nord.", scope: alice });
        const ofAlice = (await ask(loci)).receiptId ?? "";
        const ofBoth = (await ask(loci, [bob, alice])).receiptId ?? "";
        const ofBob = (await ask(loci, [bob])).receiptId ?? "";
        await admin.maintenance.erase({ user: "alice" });
        assert.deepEqual(await ids(loci), [ofBob]);
        for (const id of [ofAlice, ofBoth]) await refuses(loci.receipts.get(id), "RECEIPT_NOT_FOUND");
      },
    },
  ],
};
