import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { Memory, RecallRequest, RecallResult } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const day = 86_400_000;
const query = "When do deploys happen?";

function texts({ hits }: RecallResult): readonly string[] {
  return hits.map(({ memory }) => memory.text);
}

/** The time a version was recorded at, once the clock has gone on: what is recorded next is later. */
async function recorded({ recordedAt }: Memory): Promise<number> {
  while (Date.now() <= recordedAt) await setTimeout(1);
  return recordedAt;
}

export const knownAtCases: BehaviourFile = {
  covers: ["recall"],
  cases: [
    {
      name: "recall knows what had been recorded at a time, whatever was edited, forgotten or restored since",
      run: async ({ loci }) => {
        const first = await loci.memories.remember({ text: "Deploys happen on Tuesdays.", scope });
        const atFirst = await recorded(first);
        const second = await loci.memories.update(
          first.id,
          { text: "Deploys happen on Fridays." },
          { etag: first.etag },
        );
        const atSecond = await recorded(second);
        await loci.memories.forget(first.id);
        const [, , tombstone] = await loci.memories.versions(first.id);
        assert.ok(tombstone !== undefined);
        const atForgotten = await recorded(tombstone);
        const restored = await loci.memories.restore(first.id, 1);
        const known = async (knownAt: number | undefined): Promise<readonly string[]> =>
          texts(await loci.recall({ query, scopes: [scope], knownAt }));
        assert.deepEqual(await known(atFirst - 1), []);
        assert.deepEqual(await known(atFirst), ["Deploys happen on Tuesdays."]);
        assert.deepEqual(await known(atSecond), ["Deploys happen on Fridays."]);
        assert.deepEqual(await known(atForgotten), []);
        assert.deepEqual(await known(restored.recordedAt), ["Deploys happen on Tuesdays."]);
        assert.deepEqual(await known(undefined), ["Deploys happen on Tuesdays."]);
        const [hit] = (await loci.recall({ query, scopes: [scope], knownAt: atSecond })).hits;
        assert.equal(hit?.memory.version, 2);
        assert.equal(hit?.memory.recordedAt, second.recordedAt);
      },
    },
    {
      name: "what was known and what was true are two questions",
      run: async ({ loci }) => {
        const now = Date.now();
        const old = await loci.memories.remember({
          text: "Deploys happen on Tuesdays.",
          scope,
          validFrom: now - 90 * day,
          createdAt: now - 90 * day,
        });
        const before = await recorded(old);
        const fresh = await loci.memories.remember({
          text: "Deploys happen on Fridays.",
          scope,
          validFrom: now - 30 * day,
          createdAt: now - 30 * day,
        });
        const closed = { validTo: now - 30 * day, supersededBy: fresh.id };
        const after = await recorded(await loci.memories.update(old.id, closed, { etag: old.etag }));
        const found = async (times: Partial<RecallRequest>): Promise<readonly string[]> =>
          texts(await loci.recall({ query, scopes: [scope], ...times })).toSorted();
        const [tuesdays, fridays] = [old.text, fresh.text];
        // Nobody had heard of Fridays, so Tuesdays were thought to be true today.
        assert.deepEqual(await found({ knownAt: before }), [tuesdays]);
        assert.deepEqual(await found({ knownAt: before, validAt: now - 60 * day }), [tuesdays]);
        assert.deepEqual(await found({ knownAt: before, validAt: now - 120 * day }), []);
        assert.deepEqual(await found({ knownAt: after }), [fridays]);
        assert.deepEqual(await found({ knownAt: after, validAt: now - 60 * day }), [tuesdays]);
        assert.deepEqual(await found({ validAt: now - 60 * day }), [tuesdays]);
        const { dropped } = await loci.recall({ query, scopes: [scope], knownAt: after, explain: true });
        assert.deepEqual(
          dropped.map(({ id, reason }) => [id, reason]),
          [[old.id, "SUPERSEDED"]],
        );
      },
    },
    {
      name: "what was known is found and scored as what is known, without its uses",
      run: async ({ loci }) => {
        const now = Date.now();
        const memories = await loci.memories.rememberMany([
          ...Array.from({ length: 30 }, (_, index) => ({
            text: `Deploy ${index} of ${["billing", "search", "the web site"][index % 3]} went ${index % 2 ? "well" : "badly"}.`,
            scope: scope as "user:alice",
            category: index % 5 === 0 ? "decision" : "fact",
            createdAt: now - index * day,
            provenance: { sourceId: `report ${index % 4}`, kind: "document" as const },
          })),
          { text: "Tell the channel first.", scope, category: "procedure", tags: ["deploy-announcement"] },
        ]);
        await loci.memories.rememberConversation({
          session: "s",
          scope,
          turns: ["How did the deploy go?", "Badly, and we rolled it back."].map((content, index) => {
            return { id: `${index}`, speaker: "A", content, at: now - index };
          }),
        });
        const request: RecallRequest = {
          query: "How did the deploy of billing go? Was it announced?",
          scopes: [scope],
          evaluationTime: now,
          explain: true,
          limit: 8,
        };
        const withoutTimings = ({ timings: _timings, ...result }: RecallResult): object => result;
        const current = withoutTimings(await loci.recall(request));
        const known: RecallRequest = { ...request, knownAt: now + day };
        assert.deepEqual(withoutTimings(await loci.recall(known)), current);
        await loci.settled();
        assert.deepEqual(withoutTimings(await loci.recall(known)), current);
        await loci.memories.markUsed(memories.map(({ id }) => id));
        await loci.settled();
        assert.deepEqual(withoutTimings(await loci.recall(known)), current);
        assert.notDeepEqual(withoutTimings(await loci.recall(request)), current);
        const facts: RecallRequest = {
          ...known,
          categories: ["fact"],
          where: { field: "importance", operator: "atLeast", value: 0 },
        };
        const { hits } = await loci.recall(facts);
        assert.ok(hits.length > 0 && hits.every(({ memory }) => memory.category === "fact"));
      },
    },
    {
      name: "the newest stand in from what was known, and an assembly can be asked for what was known",
      run: async ({ loci }) => {
        const memory = await loci.memories.remember({ text: "Lunch is at noon.", scope });
        const knownAt = await recorded(memory);
        const changed = await loci.memories.update(memory.id, { text: "Lunch is at one." }, { etag: memory.etag });
        const request: RecallRequest = { query: "xylophone", scopes: [scope], knownAt, fallback: "recent" };
        assert.deepEqual(texts(await loci.recall(request)), ["Lunch is at noon."]);
        assert.deepEqual(texts(await loci.recall({ ...request, knownAt: knownAt - 1 })), []);
        assert.deepEqual(texts(await loci.recall({ ...request, categories: ["decision"] })), []);
        assert.deepEqual(texts(await loci.recall({ ...request, knownAt: changed.recordedAt })), ["Lunch is at one."]);
        const context = await loci.assemble({ query: "When is lunch?", recall: { scopes: [scope], knownAt } });
        assert.ok(context.text.includes("Lunch is at noon.") && !context.text.includes("Lunch is at one."));
        await loci.settled();
        assert.equal((await loci.memories.get(memory.id)).usage.accessCount, 0);
        await refuses(loci.recall({ ...request, knownAt: Number.NaN }), "INVALID_INSTANT", "knownAt");
      },
    },
  ],
};
