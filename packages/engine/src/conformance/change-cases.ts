import assert from "node:assert/strict";
import { etagOf, type Memory, type MemoryPatch, type RecallRequest, type RememberInput } from "@loci/domain";
import { type BehaviourFile, type BehaviourContext, refuses } from "./behaviour-case.ts";

const scope = "user:alice";

async function remembered({ loci }: BehaviourContext): Promise<Memory> {
  return loci.memories.remember({ text: "Deploys happen on Tuesdays.", scope, slot: "deploy day", tags: ["ops"] });
}

async function foundTexts({ loci }: BehaviourContext, query: string): Promise<readonly string[]> {
  const request: RecallRequest = { query, scopes: [scope] };
  return (await loci.recall(request)).hits.map(({ memory }) => memory.text);
}

export const changeCases: BehaviourFile = {
  covers: ["memories.update", "memories.forget", "memories.restore", "memories.versions"],
  cases: [
    {
      name: "update makes a new version, keeps what it does not name and is found at once",
      run: async (context) => {
        const { loci } = context;
        const first = await remembered(context);
        const patch: MemoryPatch = { text: "Deploys happen on Thursdays.", slot: null, importance: 0.9 };
        const second = await loci.memories.update(first.id, patch, { etag: first.etag });
        assert.equal(second.version, 2);
        assert.equal(second.etag, etagOf(first.id, 2));
        assert.equal(second.text, "Deploys happen on Thursdays.");
        assert.equal(second.slot, undefined);
        assert.equal(second.importance, 0.9);
        assert.deepEqual(second.tags, ["ops"]);
        assert.equal(second.createdAt, first.createdAt);
        assert.deepEqual(await loci.memories.get(first.id), second);
        assert.deepEqual(await foundTexts(context, "deploys on Thursdays or Tuesdays"), [
          "Deploys happen on Thursdays.",
        ]);
      },
    },
    {
      name: "other words hold from now on where nothing else is said, and what was over, is to come or was a turn when it did",
      run: async ({ loci }) => {
        const day = 24 * 3_600_000;
        const now = Date.now();
        const since = async (input: Partial<RememberInput>, patch: MemoryPatch): Promise<number | undefined> => {
          const text = "Alice lives in Oslo.";
          const { id, etag } = await loci.memories.remember({ createdAt: now - 9 * day, ...input, text, scope });
          const { createdAt, updatedAt, validFrom } = await loci.memories.update(id, patch, { etag });
          assert.equal(createdAt, now - 9 * day);
          await loci.memories.forget(id);
          return validFrom === updatedAt ? 0 : validFrom;
        };
        const moved = { text: "Alice lives in Bergen." };
        assert.equal(await since({}, moved), 0);
        assert.equal(await since({ validFrom: now - 8 * day }, moved), 0);
        assert.equal(await since({ validTo: now - day }, { ...moved, validTo: null }), 0);
        assert.equal(await since({}, { ...moved, validFrom: now - day }), now - day);
        assert.equal(await since({ validFrom: now - 8 * day }, { ...moved, validFrom: null }), undefined);
        assert.equal(await since({}, { text: "Alice lives in Oslo.", importance: 1 }), undefined);
        assert.equal(await since({ validFrom: now + day }, moved), now + day);
        assert.equal(await since({ validTo: now - day }, moved), undefined);
        const provenance = { sourceId: "conversation:1", kind: "conversation", position: 0 } as const;
        assert.equal(await since({ provenance }, moved), undefined);
        assert.equal(await since({ provenance }, { ...moved, provenance: null }), 0);
      },
    },
    {
      name: "what was put in other words may have ended before that, and what began at a time that was told may not",
      run: async ({ loci }) => {
        const day = 24 * 3_600_000;
        const now = Date.now();
        const input = { text: "Alice lives in Oslo.", scope, createdAt: now - 9 * day } as const;
        const first = await loci.memories.remember(input);
        const moved = await loci.memories.update(first.id, { text: "Alice lives in Bergen." }, { etag: first.etag });
        const ended = await loci.memories.update(first.id, { validTo: now - day }, { etag: moved.etag });
        assert.deepEqual([ended.validFrom, ended.validTo], [undefined, now - day]);
        const told = await loci.memories.remember({ ...input, text: "Alice swims.", validFrom: now - 10 * day });
        const change = { validTo: now - 11 * day };
        const refused = { reason: "INVALID_INSTANT" };
        await assert.rejects(loci.memories.update(told.id, change, { etag: told.etag }), refused);
      },
    },
    {
      name: "of what is corrected and what was said in between the corrected words are the newer ones",
      run: async ({ loci }) => {
        const createdAt = Date.now() - 9 * 24 * 3_600_000;
        const first = await loci.memories.remember({
          text: "The oven is lit at four.",
          scope,
          createdAt,
          slot: "oven",
        });
        const later = createdAt + 3_600_000;
        await loci.memories.remember({ text: "The oven is lit at five.", scope, createdAt: later, slot: "oven" });
        await loci.memories.update(first.id, { text: "The oven is lit at six." }, { etag: first.etag });
        const query = "When is the oven lit?";
        const { hits } = await loci.recall({ query, scopes: [scope] });
        assert.equal(hits[0]?.memory.text, "The oven is lit at six.");
        const { text } = await loci.assemble({ query, recall: { scopes: [scope] }, memoryDates: true });
        assert.ok(text.includes(`since="${new Date().toISOString().slice(0, 10)}"`), text);
      },
    },
    {
      name: "a stale etag changes nothing",
      run: async (context) => {
        const { loci } = context;
        const first = await remembered(context);
        const second = await loci.memories.update(first.id, { importance: 0.1 }, { etag: first.etag });
        const error = await refuses(
          loci.memories.update(first.id, { importance: 0.2 }, { etag: first.etag }),
          "VERSION_CONFLICT",
        );
        assert.equal(error.code, "CONFLICT");
        await refuses(loci.memories.forget(first.id, { etag: first.etag }), "VERSION_CONFLICT");
        assert.deepEqual(await loci.memories.get(first.id), second);
      },
    },
    {
      name: "of many updates with one etag exactly one wins",
      run: async (context) => {
        const { loci } = context;
        const first = await remembered(context);
        const outcomes = await Promise.allSettled(
          Array.from({ length: 10 }, (_, index) =>
            loci.memories.update(first.id, { importance: index / 10 }, { etag: first.etag }),
          ),
        );
        assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
        assert.equal((await loci.memories.get(first.id)).version, 2);
      },
    },
    {
      name: "update and forget refuse bad input",
      run: async (context) => {
        const { loci } = context;
        const memory = await remembered(context);
        await refuses(loci.memories.update(memory.id, {}, { etag: memory.etag }), "INVALID_REQUEST", "patch");
        await refuses(
          loci.memories.update(memory.id, { importance: 2 }, { etag: memory.etag }),
          "INVALID_NUMBER",
          "importance",
        );
        for (const text of ["", " \u200b"])
          await refuses(loci.memories.update(memory.id, { text }, { etag: memory.etag }), "INVALID_TEXT", "text");
        const { etag } = await loci.memories.remember({ text: "Another.", scope });
        await refuses(loci.memories.update(memory.id, { text: "x" }, { etag }), "INVALID_REQUEST", "precondition.etag");
        const withScope = { scope: "global" } as MemoryPatch;
        await refuses(
          loci.memories.update(memory.id, withScope, { etag: memory.etag }),
          "INVALID_REQUEST",
          "patch.scope",
        );
        await loci.memories.update(memory.id, { validFrom: 10 }, { etag: memory.etag });
        const { etag: current } = await loci.memories.get(memory.id);
        await refuses(
          loci.memories.update(memory.id, { validTo: 10 }, { etag: current }),
          "INVALID_INSTANT",
          "validTo",
        );
      },
    },
    {
      name: "forget leaves a tombstone that is neither read, listed nor recalled",
      run: async (context) => {
        const { loci } = context;
        const memory = await remembered(context);
        await loci.memories.forget(memory.id);
        await refuses(loci.memories.get(memory.id), "MEMORY_NOT_FOUND");
        await refuses(loci.memories.forget(memory.id), "MEMORY_NOT_FOUND");
        await refuses(loci.memories.update(memory.id, { importance: 1 }, { etag: memory.etag }), "MEMORY_NOT_FOUND");
        assert.deepEqual((await loci.memories.list({ scopes: [scope] })).memories, []);
        assert.deepEqual(await foundTexts(context, "When do deploys happen?"), []);
        const versions = await loci.memories.versions(memory.id);
        assert.deepEqual(
          versions.map(({ version, state }) => [version, state]),
          [
            [1, "active"],
            [2, "deleted"],
          ],
        );
      },
    },
    {
      name: "restore makes an old version the newest, also after forgetting",
      run: async (context) => {
        const { loci } = context;
        const first = await remembered(context);
        const second = await loci.memories.update(
          first.id,
          { text: "Deploys happen on Thursdays." },
          { etag: first.etag },
        );
        await loci.memories.forget(first.id, { etag: second.etag });
        const restored = await loci.memories.restore(first.id, 1);
        assert.equal(restored.version, 4);
        assert.equal(restored.state, "active");
        assert.equal(restored.text, first.text);
        assert.deepEqual(await loci.memories.get(first.id), restored);
        assert.deepEqual(await foundTexts(context, "When do deploys happen?"), [first.text]);
        await refuses(loci.memories.restore(first.id, 9), "VERSION_NOT_FOUND");
        await refuses(loci.memories.restore(first.id, 3), "VERSION_NOT_FOUND");
        await refuses(loci.memories.restore(first.id, 0), "INVALID_NUMBER", "version");
      },
    },
    {
      name: "changes repeated under one request id give the first answer again",
      run: async (context) => {
        const { loci } = context;
        const first = await remembered(context);
        const options = { requestId: "again" };
        const second = await loci.memories.update(first.id, { importance: 0.3 }, { etag: first.etag }, options);
        const again = await loci.memories.update(first.id, { importance: 0.3 }, { etag: first.etag }, options);
        assert.deepEqual(again, second);
        await refuses(
          loci.memories.update(first.id, { importance: 0.4 }, { etag: first.etag }, options),
          "REQUEST_ID_REUSED",
        );
        const restored = await loci.memories.restore(first.id, 1, options);
        assert.deepEqual(await loci.memories.restore(first.id, 1, options), restored);
        await loci.memories.forget(first.id, undefined, options);
        await loci.memories.forget(first.id, undefined, options);
        assert.equal((await loci.memories.versions(first.id)).length, 4);
      },
    },
    {
      name: "markUsed counts uses, never makes a version, and passes over what does not exist",
      run: async (context) => {
        const { loci } = context;
        const memory = await remembered(context);
        const unknown = "01900000-0000-7000-8000-000000000000" as typeof memory.id;
        await loci.memories.markUsed([memory.id, unknown, memory.id]);
        await loci.memories.markUsed([memory.id]);
        await loci.settled();
        const used = await loci.memories.get(memory.id);
        assert.equal(used.usage.accessCount, 2);
        assert.ok(used.usage.lastAccessedAt !== undefined);
        assert.equal(used.version, 1);
      },
    },
  ],
};
