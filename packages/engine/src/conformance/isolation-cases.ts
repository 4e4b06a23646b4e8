import assert from "node:assert/strict";
import { type Loci, type Memory, type MemoryId, tenantId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

/** Every way to reach a memory by its id. */
function byId(loci: Loci, { id, etag }: Memory): readonly (() => Promise<unknown>)[] {
  return [
    () => loci.memories.get(id),
    () => loci.memories.versions(id),
    () => loci.memories.update(id, { importance: 0 }, { etag }),
    () => loci.memories.forget(id),
    () => loci.memories.forget(id, { etag }),
    () => loci.memories.restore(id, 1),
  ];
}

export const isolationCases: BehaviourFile = {
  covers: ["memories.get", "memories.markUsed", "recall"],
  cases: [
    {
      name: "another tenant finds nothing, by no way",
      run: async ({ loci, as }) => {
        const memory = await loci.memories.remember({ text: "The theme is Solarized.", scope: "global" });
        const other = await as({ tenant: tenantId("acme-corp") });
        for (const call of byId(other, memory)) await refuses(call(), "MEMORY_NOT_FOUND");
        await other.memories.markUsed([memory.id]);
        assert.deepEqual((await other.memories.list({ scopes: ["global"] })).memories, []);
        const recalled = await other.recall({ query: "theme", scopes: ["global"], explain: true, fallback: "recent" });
        assert.deepEqual([recalled.hits, recalled.dropped], [[], []]);
        await loci.settled();
        assert.deepEqual(await loci.memories.get(memory.id), memory);
      },
    },
    {
      name: "a principal with narrow scopes never reaches beyond them",
      run: async ({ loci, as }) => {
        const [own, foreign, global] = await loci.memories.rememberMany([
          { text: "The theme of Alice is Solarized.", scope: "user:alice" },
          { text: "The theme of Bob is Nord.", scope: "user:bob" },
          { text: "The theme of all is Gruvbox.", scope: "global" },
        ]);
        assert.ok(own !== undefined && foreign !== undefined && global !== undefined);
        const alice = await as({ scopePatterns: ["user:alice", "session:*"] });
        assert.deepEqual(await alice.memories.get(own.id), own);
        for (const memory of [foreign, global])
          for (const call of byId(alice, memory)) await refuses(call(), "MEMORY_NOT_FOUND");
        for (const scope of ["user:bob", "user:alice2", "user:**", "global", "team:alice"] as const) {
          await refuses(alice.memories.remember({ text: "Mine?", scope }), "SCOPE_NOT_PERMITTED");
          await refuses(alice.memories.list({ scopes: [scope] }), "SCOPE_NOT_PERMITTED");
          await refuses(alice.recall({ query: "theme", scopes: ["user:alice", scope] }), "SCOPE_NOT_PERMITTED");
          await refuses(alice.assemble({ query: "theme", recall: { scopes: [scope] } }), "SCOPE_NOT_PERMITTED");
          const turns = [{ id: "1", speaker: "Alice", content: "Hello.", at: 0 }];
          await refuses(alice.memories.rememberConversation({ scope, turns }), "SCOPE_NOT_PERMITTED");
          const inputs = [{ text: "Mine.", scope: "user:alice" } as const, { text: "Mine?", scope }];
          await refuses(alice.memories.rememberMany(inputs), "SCOPE_NOT_PERMITTED");
        }
        await alice.memories.markUsed([own.id, foreign.id]);
        await alice.settled();
        assert.equal((await loci.memories.get(foreign.id)).usage.accessCount, 0);
        assert.equal((await loci.memories.get(own.id)).usage.accessCount, 1);
        const { hits } = await alice.recall({ query: "theme", scopes: ["user:alice", "session:1"] });
        assert.deepEqual(
          hits.map(({ memory }) => memory.id),
          [own.id],
        );
      },
    },
    {
      name: "an owner and a session that a limited principal names are those of its own scope patterns",
      run: async ({ loci, as }) => {
        const [memory] = await loci.memories.rememberMany([{ text: "The theme of all is Gruvbox.", scope: "global" }]);
        const asked = { query: "theme", scopes: ["global"], explain: true } as const;
        const scoreOf = async (by: Loci, session: string): Promise<number | undefined> => {
          const { hits } = await by.recall({ ...asked, rotation: { owner: "alice", session }, recordUsage: "kept" });
          await by.settled();
          assert.deepEqual(
            hits.map(({ memory: { id } }) => id),
            [memory?.id],
          );
          return hits[0]?.score;
        };
        const reader = await as({ roles: ["read"], scopePatterns: ["global"] });
        for (const session of ["one", "two"]) await scoreOf(reader, session);
        const first = await scoreOf(loci, "mine");
        const same = await as({ roles: ["read"], scopePatterns: ["global", "global"] });
        const stale = await scoreOf(same, "three");
        assert.ok(first !== undefined && stale !== undefined && stale < first);

        const tokens = { model: "nobody-1", inputTokens: 5, outputTokens: 5 };
        const limited = await as({ scopePatterns: ["user:bob"] });
        await loci.budget.record({ ...tokens, session: "s" });
        assert.equal((await limited.budget.totals({ session: "s" })).calls, 0);
        assert.equal((await limited.budget.totals({})).calls, 0);
        assert.equal((await limited.budget.record({ ...tokens, session: "s" })).calls, 1);
        assert.equal((await limited.budget.record(tokens)).calls, 1);
        assert.equal((await limited.budget.totals({ session: "s" })).calls, 1);
        assert.equal((await loci.budget.totals({ session: "s" })).calls, 1);
        assert.equal((await loci.budget.totals({})).calls, 3);
      },
    },
    {
      name: "reading and writing need their roles",
      run: async ({ loci, as }) => {
        const memory = await loci.memories.remember({ text: "The theme is Solarized.", scope: "global" });
        const reader = await as({ roles: ["read"] });
        const writer = await as({ roles: ["write"] });
        assert.deepEqual(await reader.memories.get(memory.id), memory);
        await refuses(reader.memories.remember({ text: "New.", scope: "global" }), "ROLE_REQUIRED");
        await refuses(reader.memories.rememberMany([{ text: "New.", scope: "global" }]), "ROLE_REQUIRED");
        await refuses(reader.memories.update(memory.id, { importance: 0 }, { etag: memory.etag }), "ROLE_REQUIRED");
        await refuses(reader.memories.forget(memory.id), "ROLE_REQUIRED");
        await refuses(reader.memories.restore(memory.id, 1), "ROLE_REQUIRED");
        await refuses(reader.memories.markUsed([memory.id]), "ROLE_REQUIRED");
        await refuses(writer.memories.get(memory.id), "ROLE_REQUIRED");
        await refuses(writer.memories.versions(memory.id), "ROLE_REQUIRED");
        await refuses(writer.memories.list({ scopes: ["global"] }), "ROLE_REQUIRED");
        await refuses(writer.recall({ query: "theme", scopes: ["global"] }), "ROLE_REQUIRED");
        await refuses(writer.memories.get("x" as MemoryId), "ROLE_REQUIRED");
        assert.equal((await writer.memories.remember({ text: "New.", scope: "global" })).version, 1);
      },
    },
    {
      name: "request ids of different subjects and tenants do not meet",
      run: async ({ loci, as }) => {
        const options = { requestId: "same" };
        const input = { text: "Mine.", scope: "global", repeat: "add" } as const;
        const first = await loci.memories.remember(input, options);
        for (const other of [await as({ subject: "someone-else" }), await as({ tenant: tenantId("other") })])
          assert.notEqual((await other.memories.remember(input, options)).id, first.id);
      },
    },
  ],
};
