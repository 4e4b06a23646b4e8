import { type Loci, LociError, type MemoryId, type Role, type ScopeText, tenantId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

/** More when attacks are tried at length. */
const calls = Number(process.env["LOCI_ATTACK_RUNS"] ?? 2_000);

const tenants = ["acme", "acme-corp", "ACME", "a%"].map(tenantId);
const scopes: readonly ScopeText[] = ["user:a", "user:a:b", "user:A", "team:a", "session:a_c", "global"];

interface Key {
  readonly tenant: (typeof tenants)[number];
  readonly roles: readonly Role[];
  readonly scopePatterns: readonly string[];
}

/** Twenty-four keys: of every tenant one for everything, and five that are limited in one way or another. */
const keys: readonly Key[] = tenants.flatMap((tenant) => [
  { tenant, roles: ["admin"], scopePatterns: ["*"] },
  { tenant, roles: ["admin"], scopePatterns: ["user:a"] },
  { tenant, roles: ["read", "write"], scopePatterns: ["user:*", "global"] },
  { tenant, roles: ["read"], scopePatterns: ["user:a", "team:*"] },
  { tenant, roles: ["write"], scopePatterns: ["session:a_c"] },
  { tenant, roles: ["admin"], scopePatterns: ["user:a%", "user:A", "team:a"] },
]);

/** What is stored, as plainly as it can be said: nothing of Loci decides here who sees what. */
interface Known {
  readonly id: MemoryId;
  readonly tenant: string;
  readonly scope: ScopeText;
  isActive: boolean;
}

function covers({ scopePatterns }: Key, scope: string): boolean {
  return scopePatterns.some(
    (pattern) =>
      pattern === "*" || pattern === scope || (pattern.endsWith(":*") && scope.startsWith(pattern.slice(0, -1))),
  );
}

function may({ roles }: Key, role: Role): boolean {
  return roles.includes("admin") || roles.includes(role);
}

interface Call {
  readonly key: Key;
  readonly method: string;
  readonly scope: ScopeText;
  readonly other: ScopeText;
  readonly pick: number;
}

interface Judged {
  /** What the call said: a refusal, or what it gave, in ids and numbers. */
  readonly said: () => Promise<unknown>;
  readonly expected: () => unknown;
}

type Method = (world: readonly Known[], loci: Loci, call: Call, add: (known: Known) => void) => Judged;

function idsOf(memories: readonly { readonly id: MemoryId }[]): readonly string[] {
  return memories.map(({ id }) => String(id)).toSorted();
}

/** A call on one memory, which answers as if there were nothing where the key may not look. */
function onOne(
  role: Role,
  work: (loci: Loci, known: Known) => Promise<unknown>,
  isAbout: (known: Known) => boolean,
): Method {
  return (world, loci, { key, pick }) => {
    const candidates = world.filter(isAbout);
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

const methods: Readonly<Record<string, Method>> = {
  remember: (world, loci, { key, scope, pick }, add) => ({
    said: async () => {
      const { id } = await loci.memories.remember({ text: `canary ${key.tenant} ${scope} ${pick}`, scope });
      // The same text again in its scope is the same memory.
      const same = world.find((known) => known.id === id);
      if (same === undefined) add({ id, tenant: key.tenant, scope, isActive: true });
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
  list: (world, loci, { key, scope, other }) => ({
    said: async () => idsOf((await loci.memories.list({ scopes: [scope, other], pageSize: 1_000 })).memories),
    expected: () => listed(world, key, [scope, other]),
  }),
  recall: (world, loci, { key, scope, other }) => ({
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
  export: (world, loci, { key, pick }) => ({
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
  review: (world, loci, { key }) => ({
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

test(`${calls} calls of ${keys.length} keys get what a plain model says, and nothing else`, async () => {
  await using opened = await TestEngine.open();
  const world: Known[] = [];
  const call: fc.Arbitrary<Call> = fc.record({
    key: fc.constantFrom(...keys),
    // Jobs go through everything; the rest is called more often.
    method: fc.constantFrom(
      ...Object.keys(methods).flatMap((name) =>
        /verify|review|export/.test(name) ? [name] : Array.from({ length: 6 }, () => name),
      ),
    ),
    scope: fc.constantFrom(...scopes),
    other: fc.constantFrom(...scopes),
    pick: fc.nat(100_000),
  });
  const made = new Map<string, number>();
  const property = fc.asyncProperty(call, async (one) => {
    // So that going through everything stays short.
    const isFull = one.method === "remember" && world.length >= 600;
    const name = isFull ? "get" : one.method;
    const method = methods[name] as Method;
    const { said, expected } = method(world, opened.as({ ...one.key, subject: "key" }), one, (known) =>
      world.push(known),
    );
    // Said before the call: the call may change what is there.
    const due = expected();
    const got = await said().catch((error: unknown) => {
      if (!LociError.is(error)) throw error;
      return error.reason;
    });
    expect([one.key, name, got]).toEqual([one.key, name, due]);
    made.set(name, (made.get(name) ?? 0) + 1);
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: calls, endOnFailure: true });
  expect([...made.keys()].toSorted()).toEqual(Object.keys(methods).toSorted());
}, 3_600_000);
