import { formatScope, type Loci, type MemoryId, type Role, type ScopeText, unpackedMemoryIds } from "@loci/domain";
import { covers, type Key, type Known, may, type Method } from "./model.ts";

function idsOf(memories: readonly { readonly id: MemoryId }[]): readonly string[] {
  return memories.map(({ id }) => String(id)).toSorted();
}

/** A call on one memory, which answers as if there were nothing where the key may not look. */
function onOne(
  role: Role,
  work: (loci: Loci, known: Known) => Promise<unknown>,
  isAbout: (known: Known) => boolean,
): Method {
  return ({ memories }, loci, { key, pick }) => {
    const candidates = memories.filter(isAbout);
    const known = candidates[pick % Math.max(candidates.length, 1)];
    if (known === undefined) return { said: async () => 0, expected: () => 0 };
    const isSeen = known.tenant === key.tenant && covers(key, known.scope);
    return {
      said: async () => work(loci, known),
      expected: () => (!may(key, role) ? "ROLE_REQUIRED" : isSeen ? "done" : "MEMORY_NOT_FOUND"),
    };
  };
}

function reachOf(world: readonly Known[], key: Key): readonly Known[] {
  return world.filter(({ tenant, scope }) => tenant === key.tenant && covers(key, scope));
}

/** Calls on memories. */
export const memoryMethods: Readonly<Record<string, Method>> = {
  remember: ({ memories: world }, loci, { key, scope, pick }) => ({
    said: async () => {
      const { id } = await loci.memories.remember({ text: `canary ${key.tenant} ${scope} ${pick}`, scope });
      // The same text again in its scope is the same memory.
      const same = world.find((known) => known.id === id);
      if (same === undefined) world.push({ id, tenant: key.tenant, scope, isActive: true });
      return same === undefined || (same.isActive && same.tenant === key.tenant && same.scope === scope)
        ? "done"
        : same;
    },
    expected: () => (!may(key, "write") ? "ROLE_REQUIRED" : covers(key, scope) ? "done" : "SCOPE_NOT_PERMITTED"),
  }),
  get: onOne("read", async ({ memories }, { id }) => ((await memories.get(id)).id === id ? "done" : "other"), isActive),
  forget: onOne(
    "write",
    async ({ memories }, known) => {
      await memories.forget(known.id);
      known.isActive = false;
      return "done";
    },
    isActive,
  ),
  restore: onOne(
    "write",
    async ({ memories }, known) => {
      await memories.restore(known.id, 1);
      known.isActive = true;
      return "done";
    },
    (known) => !known.isActive,
  ),
  list: ({ memories: world }, loci, { key, scope, other }) => ({
    said: async () => idsOf((await loci.memories.list({ scopes: [scope, other], pageSize: 1_000 })).memories),
    expected: () => listed(world, key, [scope, other]),
  }),
  scopes: ({ memories: world }, loci, { key, pick }) => ({
    said: async () => {
      const found: string[] = [];
      for (let pageToken: string | undefined; ;) {
        const page = await loci.memories.scopes({ pageToken, pageSize: 1 + (pick % 3) });
        found.push(...page.scopes.map(({ scope, memories }) => `${formatScope(scope)} ${memories}`));
        if (page.nextPageToken === undefined) return found;
        pageToken = page.nextPageToken;
      }
    },
    expected: () => {
      if (!may(key, "read")) return "ROLE_REQUIRED";
      const counted = Map.groupBy(reachOf(world, key).filter(isActive), (known) => known.scope);
      return [...counted].map(([scope, each]) => `${scope} ${each.length}`).toSorted();
    },
  }),
  recall: ({ memories: world }, loci, { key, scope, other }) => ({
    said: async () => {
      const request = { query: "canary", scopes: [scope, other], fallback: "recent", limit: 20 } as const;
      const { hits } = await loci.recall(request);
      const permitted = new Set(listed(world, key, [scope, other]));
      return hits.every(({ memory }) => permitted.has(memory.id)) ? "within" : hits.map(({ text }) => text);
    },
    expected: () => {
      const seen = listed(world, key, [scope, other]);
      return typeof seen === "string" ? seen : "within";
    },
  }),
  export: ({ memories: world }, loci, { key, pick }) => ({
    said: async () => {
      const found: { readonly id: MemoryId }[] = [];
      for (let after: string | undefined; ;) {
        const { lines, next } = await loci.maintenance.exportMemories({ after, pageSize: 1 + (pick % 50) });
        found.push(...lines.map((line) => JSON.parse(line) as { readonly id: MemoryId }));
        if (next === undefined) return idsOf(found);
        after = next;
      }
    },
    expected: () => (may(key, "admin") ? idsOf(reachOf(world, key).filter(isActive)) : "ROLE_REQUIRED"),
  }),
  "memories.export": ({ memories: world }, loci, { key }) => ({
    said: async () => {
      const found: { readonly id: MemoryId }[] = [];
      for await (const exported of loci.memories.export()) found.push(exported);
      return idsOf(found);
    },
    expected: () => (may(key, "admin") ? idsOf(reachOf(world, key).filter(isActive)) : "ROLE_REQUIRED"),
  }),
  ids: ({ memories: world }, loci, { key, scope, other, pick }) => {
    const isEvery = pick % 2 === 0;
    return {
      said: async () => {
        const found: MemoryId[] = [];
        const text = pick % 3 === 0 ? "CANARY" : undefined;
        for await (const { ids } of loci.memories.ids({ scopes: isEvery ? "*" : [scope, other], text }))
          found.push(...unpackedMemoryIds(ids));
        return idsOf(found.map((id) => ({ id })));
      },
      expected: () => {
        if (!isEvery) return listed(world, key, [scope, other]);
        return may(key, "read") ? idsOf(reachOf(world, key).filter(isActive)) : "ROLE_REQUIRED";
      },
    };
  },
  watch: ({ memories: world }, loci, { key, scope, other }) => ({
    said: async () => {
      const held = new Map<MemoryId, { readonly id: MemoryId }>();
      for await (const change of loci.memories.watch({ scopes: [scope, other], since: "beginning" })) {
        if (change.type === "reached") break;
        if (change.type === "written") held.set(change.memory.id, change.memory);
        else held.delete(change.id);
      }
      return idsOf([...held.values()]);
    },
    expected: () => listed(world, key, [scope, other]),
  }),
  review: ({ memories: world }, loci, { key }) => ({
    said: async () => (await loci.maintenance.review()).counts["scanned"],
    expected: () => (may(key, "admin") ? reachOf(world, key).length : "ROLE_REQUIRED"),
  }),
  verify: (_world, loci, { key }) => ({
    said: async () => (await loci.maintenance.verify()).findings.length,
    expected: () =>
      !may(key, "admin") ? "ROLE_REQUIRED" : key.scopePatterns.includes("*") ? 0 : "SCOPE_NOT_PERMITTED",
  }),
};

function isActive(known: Known): boolean {
  return known.isActive;
}

function listed(world: readonly Known[], key: Key, asked: readonly ScopeText[]): string | readonly string[] {
  if (!may(key, "read")) return "ROLE_REQUIRED";
  if (!asked.every((scope) => covers(key, scope))) return "SCOPE_NOT_PERMITTED";
  return idsOf(reachOf(world, key).filter((known) => known.isActive && asked.includes(known.scope)));
}
