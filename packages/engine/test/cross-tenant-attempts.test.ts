import { type ErrorReason, LociError, type MemoryId, type Principal, type ScopeText, tenantId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

/** More in the nightly run. */
const attempts = Number(process.env["LOCI_TENANT_ATTEMPTS"] ?? 5_000);

/** Names that careless code takes for one another. */
const tenants = ["acme", "acme-corp", "ACME", "a", "a:b", "a_c", "abc", "a%", "x' OR 1=1 --", "__proto__"].map(
  tenantId,
);
const scopes: readonly ScopeText[] = ["user:a", "user:a:b", "user:A", "user:a%", "team:a", "session:a_c", "global"];
const patterns = [...scopes, "user:*", "team:*"] as const;

interface Memory {
  readonly id: MemoryId;
  readonly tenant: string;
  readonly scope: ScopeText;
}

/** Reasons that tell whoever asks nothing of what others have. */
const refusals: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  "MEMORY_NOT_FOUND",
  "SESSION_NOT_FOUND",
  "SCOPE_NOT_PERMITTED",
  "ROLE_REQUIRED",
  "INVALID_PAGE_TOKEN",
  "INVALID_REQUEST",
]);

// Every attempt is a call of somebody who is not the owner, by the id, the scope or the words of what is not theirs.
test(`${attempts} random attempts on other tenants and scopes see nothing and change nothing`, async () => {
  await using opened = await TestEngine.open();
  const memories: Memory[] = [];
  for (const tenant of tenants)
    for (const scope of scopes) {
      const { id } = await opened.as({ tenant }).memories.remember({
        text: `canary <${tenant}> <${scope}>`,
        scope,
        tags: ["canary"],
        slot: `${tenant} ${scope}`,
      });
      const { sessions } = opened.as({ tenant });
      const key = { scope, id: sessionOf(tenant, scope) };
      await sessions.create(key);
      await sessions.append(key, {
        expectedLast: 0,
        turns: [{ role: "user", content: `canary <${tenant}> <${scope}>` }],
      });
      await sessions.turnState.markBlocked(key, `canary <${tenant}> <${scope}>`);
      memories.push({ id, tenant, scope });
    }
  await opened.loci.settled();
  const state = async (): Promise<unknown> =>
    Promise.all(
      tenants.map(async (tenant) => [
        await opened.as({ tenant }).memories.list({ scopes: [...scopes], pageSize: 1_000 }),
        await opened.ledger.count(tenant),
        await opened.as({ tenant }).sessions.list({ scopes: [...scopes] }),
      ]),
    );
  const before = await state();

  const attempt = fc.record({
    target: fc.constantFrom(...memories),
    // Another tenant with every right, or the same one with other scopes.
    intruder: fc.oneof(
      fc.record({ tenant: fc.constantFrom(...tenants), scopePatterns: fc.constant<readonly string[]>(["*"]) }),
      fc.record({
        tenant: fc.constantFrom(...tenants),
        scopePatterns: fc.uniqueArray(fc.constantFrom<string[]>(...patterns), { maxLength: 3 }),
      }),
    ),
    method: fc.constantFrom(...Object.keys(methods)),
  });
  let made = 0;
  let refused = 0;
  const property = fc.asyncProperty(attempt, async ({ target, intruder, method }) => {
    const isPermitted =
      intruder.tenant === target.tenant &&
      (intruder.scopePatterns.some((pattern) => pattern === "*" || pattern === target.scope) ||
        intruder.scopePatterns.includes(`${target.scope.split(":")[0]}:*`));
    fc.pre(!isPermitted);
    made++;
    const roles: Principal["roles"] = ["read", "write", "approve", "admin"];
    const loci = opened.as({ ...intruder, subject: "intruder", roles });
    const work = methods[method];
    if (work === undefined) throw new Error(method);
    const said = await work(loci, target).catch((error: unknown) => {
      if (!LociError.is(error) || !refusals.has(error.reason)) throw error;
      refused++;
      return [error.message, error.advice, error.details];
    });
    const text = JSON.stringify(said ?? "");
    // A refusal may name the scope that was asked for, and never what is in it.
    const seen = [...text.matchAll(/canary <([^>]*)> <([^>]*)>/g)];
    expect(seen.filter(([, tenant]) => tenant !== intruder.tenant)).toEqual([]);
    expect(seen.filter(([, tenant, scope]) => tenant === target.tenant && scope === target.scope)).toEqual([]);
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: attempts });
  expect(made).toBe(attempts);
  expect(refused).toBeGreaterThan(attempts / 3);
  expect(await state()).toEqual(before);
}, 3_600_000);

/** The id of the session that a tenant has in a scope. Nobody else has one of this id there. */
function sessionOf(tenant: string, scope: ScopeText): string {
  return `${tenant} ${scope}`;
}

const day = { date: "2026-01-01" };

type Attempt = (loci: ReturnType<TestEngine["as"]>, target: Memory) => Promise<unknown>;

/** Every way to a memory that is named by its id, its scope or its words. None of them writes anything new. */
const methods: Readonly<Record<string, Attempt>> = {
  get: ({ memories }, { id }) => memories.get(id),
  versions: ({ memories }, { id }) => memories.versions(id),
  update: ({ memories }, { id }) => memories.update(id, { text: "taken" }, { etag: `${id}.1` as never }),
  forget: ({ memories }, { id }) => memories.forget(id),
  restore: ({ memories }, { id }) => memories.restore(id, 1),
  markUsed: ({ memories }, { id }) => memories.markUsed([id]),
  list: ({ memories }, { scope }) => memories.list({ scopes: [scope] }),
  recall: (loci, { scope, tenant }) => loci.recall({ query: `canary ${tenant}`, scopes: [scope], fallback: "recent" }),
  assemble: (loci, { scope }) =>
    loci.assemble({
      query: "Which one sings?",
      recall: { scopes: [scope], query: "canary", fallback: "recent" },
      recordUsage: "none",
    }),
  remember: ({ memories }, { id, scope }) => memories.remember({ text: "taken", scope, id } as never),
  "sessions.get": ({ sessions }, { tenant, scope }) => sessions.get({ scope, id: sessionOf(tenant, scope) }),
  "sessions.list": ({ sessions }, { scope }) => sessions.list({ scopes: [scope] }),
  "sessions.turns": ({ sessions }, { tenant, scope }) => sessions.turns({ scope, id: sessionOf(tenant, scope) }),
  "sessions.append": ({ sessions }, { tenant, scope }) =>
    sessions.append(
      { scope, id: sessionOf(tenant, scope) },
      { expectedLast: 1, turns: [{ role: "user", content: "taken" }] },
    ),
  "sessions.close": ({ sessions }, { tenant, scope }) => sessions.close({ scope, id: sessionOf(tenant, scope) }),
  "sessions.delete": ({ sessions }, { tenant, scope }) => sessions.delete({ scope, id: sessionOf(tenant, scope) }),
  "sessions.state": ({ sessions }, { tenant, scope }) =>
    sessions.turnState.load({ scope, id: sessionOf(tenant, scope) }),
  "sessions.merge": ({ sessions }, { tenant, scope }) =>
    sessions.turnState.markBlocked({ scope, id: sessionOf(tenant, scope) }, "taken"),
  "sessions.dailyLog": ({ sessions }, { scope }) => sessions.dailyLog({ scope, ...day }),
  export: ({ maintenance }, { id }) => maintenance.exportMemories({ after: id, pageSize: 10 }),
  "memories.export": async ({ memories }, { id }) => {
    const exported: unknown[] = [];
    for await (const one of memories.export({ after: id })) exported.push(one);
    return exported;
  },
  watch: async ({ memories }, { scope }) => {
    const told: unknown[] = [];
    for await (const change of memories.watch({ scopes: [scope], since: "beginning" })) {
      told.push(change);
      if (change.type === "reached") break;
    }
    return told;
  },
  verify: ({ maintenance }) => maintenance.verify(),
};
