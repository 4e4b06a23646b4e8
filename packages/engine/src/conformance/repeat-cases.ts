import assert from "node:assert/strict";
import type { Memory, RememberInput } from "@loci/domain";
import type { BehaviourFile } from "./behaviour-case.ts";

const scope = "user:alice";
const long = 3_600_000;

/** Remembering what is known already. */
export const repeatCases: BehaviourFile = {
  covers: ["memories.remember"],
  cases: [
    {
      name: "the same text remembered again is one memory with fresh evidence",
      run: async ({ loci }) => {
        const first = await loci.memories.remember({
          text: "The caf\u00e9 opens at 8.",
          scope,
          tags: ["a"],
          createdAt: 1_000,
        });
        const second = await loci.memories.remember({
          text: " The cafe\u0301 opens at 8.\n",
          scope,
          tags: ["b", "a"],
          createdAt: 5_000,
          importance: 0.9,
          provenance: { sourceId: "ADR-007", kind: "adr" },
        });
        const { id, text, version, tags, createdAt, importance, provenance } = second;
        assert.deepEqual(
          { id, text, version, tags, createdAt, importance, source: provenance?.sourceId },
          {
            id: first.id,
            text: first.text,
            version: 2,
            tags: ["a", "b"],
            createdAt: 5_000,
            importance: 0.9,
            source: "ADR-007",
          },
        );
        // What was said earlier is no news, and nothing that was said is lost.
        const third = await loci.memories.remember({ text: first.text, scope, createdAt: 2_000 });
        assert.deepEqual([third.version, third.createdAt, third.importance], [3, 5_000, 0.9]);
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 1);
        assert.deepEqual(
          (await loci.memories.versions(first.id)).map(({ createdAt: at }) => at),
          [1_000, 5_000, 5_000],
        );
        const { hits } = await loci.recall({ query: "When does the caf\u00e9 open?", scopes: [scope] });
        assert.deepEqual(
          hits.map(({ memory }) => memory.version),
          [3],
        );
      },
    },
    {
      name: "what was used before is as recent as what was just said when it is said again",
      run: async ({ loci }) => {
        const old = await loci.memories.remember({ text: "The kraken sleeps.", scope, createdAt: 1_000 });
        await loci.memories.markUsed([old.id]);
        await loci.settled();
        await loci.memories.remember({ text: old.text, scope });
        await loci.settled();
        const { hits } = await loci.recall({ query: "Does the kraken sleep?", scopes: [scope] });
        assert.ok((hits[0]?.parts.recency ?? 0) > 0.99);
      },
    },
    {
      name: "another category, slot, trust, scope or time of being true, and what is to be added, is another memory",
      run: async ({ loci }) => {
        const input: RememberInput = { text: "It is Monday.", scope };
        const { id } = await loci.memories.remember(input);
        const others: readonly Partial<RememberInput>[] = [
          { category: "note" },
          { slot: "deploy day" },
          { trust: "untrusted" },
          { scope: "user:bob" },
          { validTo: 9_000_000_000_000 },
          { repeat: "add" },
          { text: "it is Monday." },
        ];
        const ids = new Set([id]);
        for (const other of others) ids.add((await loci.memories.remember({ ...input, ...other })).id);
        assert.equal(ids.size, others.length + 1);
        assert.ok(ids.has((await loci.memories.remember({ ...input, category: "fact", repeat: "refresh" })).id));
      },
    },
    {
      name: "what was forgotten, edited, replaced or has expired is remembered anew",
      run: async ({ loci }) => {
        const again = async (before: Memory): Promise<Memory> => {
          const memory = await loci.memories.remember({ text: before.text, scope });
          assert.notEqual(memory.id, before.id);
          assert.equal(memory.version, 1);
          return memory;
        };
        const first = await loci.memories.remember({ text: "The theme is dark.", scope });
        await loci.memories.forget(first.id);
        const second = await again(first);
        const edited = await loci.memories.update(second.id, { text: "The theme is light." }, { etag: second.etag });
        const third = await again(second);
        await loci.memories.update(third.id, { supersededBy: edited.id }, { etag: third.etag });
        await again(third);
        const expired = await loci.memories.remember({ text: "Lunch is ready.", scope, expiresAt: 1_000 });
        const lasting = await again(expired);
        const ending = await loci.memories.remember({ text: "Tea is ready.", scope, expiresAt: 9_000_000_000_000 });
        const later = await loci.memories.remember({
          text: "Tea is ready.",
          scope,
          expiresAt: 9_000_000_000_000 + long,
        });
        assert.deepEqual([later.id, later.expiresAt], [ending.id, 9_000_000_000_000 + long]);
        assert.equal((await loci.memories.remember({ text: "Tea is ready.", scope })).expiresAt, undefined);
        assert.equal(lasting.expiresAt, undefined);
      },
    },
    {
      name: "the same text remembered many times at once is one memory, and every call counts",
      run: async ({ loci }) => {
        const calls = Array.from({ length: 12 }, (_, index) =>
          loci.memories.remember({ text: "The kraken sleeps.", scope, tags: [`call-${index}`] }),
        );
        const memories = await Promise.all(calls);
        assert.equal(new Set(memories.map(({ id }) => id)).size, 1);
        assert.deepEqual(
          memories.map(({ version }) => version).toSorted((left, right) => left - right),
          calls.map((_, index) => index + 1),
        );
        const { memories: listed } = await loci.memories.list({ scopes: [scope] });
        assert.deepEqual([listed.length, listed[0]?.tags.length], [1, 12]);
      },
    },
    {
      name: "rememberMany makes one memory of inputs that say the same",
      run: async ({ loci }) => {
        const known = await loci.memories.remember({ text: "One.", scope });
        const inputs: readonly RememberInput[] = ["One.", "Two.", "Two. ", "Three.", "One."].map((text) => ({
          text,
          scope,
        }));
        const options = { requestId: "many" };
        const memories = await loci.memories.rememberMany(inputs, options);
        assert.deepEqual(
          memories.map(({ text, version }) => `${text} ${version}`),
          ["One. 2", "Two. 1", "Two. 1", "Three. 1", "One. 2"],
        );
        assert.equal(memories[0]?.id, known.id);
        assert.deepEqual(await loci.memories.rememberMany(inputs, options), memories);
        const added = await loci.memories.rememberMany(inputs.map((input) => ({ ...input, repeat: "add" as const })));
        assert.equal(new Set(added.map(({ id }) => id)).size, 5);
      },
    },
    {
      name: "a call that is repeated with its request id gives no evidence twice, and etags go by versions",
      run: async ({ loci }) => {
        const input = { text: "The kraken sleeps.", scope } as const;
        const first = await loci.memories.remember(input, { requestId: "one" });
        const second = await loci.memories.remember(input, { requestId: "two" });
        assert.deepEqual([first.version, second.version], [1, 2]);
        assert.deepEqual(await loci.memories.remember(input, { requestId: "two" }), second);
        assert.equal((await loci.memories.remember(input, { requestId: "one" })).version, 1);
        await assert.rejects(loci.memories.update(first.id, { importance: 1 }, { etag: first.etag }));
        await loci.memories.update(first.id, { importance: 1 }, { etag: second.etag });
      },
    },
    {
      name: "turns of conversations stay memories of their own, and who may not read is told of nothing",
      run: async ({ loci, as }) => {
        const turns = [1, 2].map((at) => ({ id: `${at}`, speaker: "Ada", content: "Good morning.", at }));
        await loci.memories.rememberConversation({ scope, turns });
        const told = await loci.memories.remember({
          text: "Ada: Good morning.",
          scope,
          category: "note",
          tags: ["secret"],
        });
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 3);
        const writer = await as({ roles: ["write"] });
        const blind = await writer.memories.remember({ text: told.text, scope, category: "note" });
        assert.notEqual(blind.id, told.id);
        assert.deepEqual(blind.tags, []);
      },
    },
  ],
};
