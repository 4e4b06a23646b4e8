import type { Loci, Role } from "@loci/domain";
import { type Call, covers, type Key, may, type Method, type Named, type World } from "./model.ts";

function seen(world: World, key: Key, kind: Named["kind"], scopes: readonly string[]): readonly string[] {
  return world.named
    .filter((one) => one.kind === kind && one.isThere && one.tenant === key.tenant && scopes.includes(one.scope))
    .map(({ name }) => name)
    .toSorted();
}

/** A call that names a session or a block of any tenant: whoever may not look into its scope learns nothing else. */
function onNamed(
  kind: Named["kind"],
  role: Role,
  work: (loci: Loci, named: Named, call: Call) => Promise<unknown>,
): Method {
  return ({ named }, loci, call) => {
    const candidates = named.filter((one) => one.kind === kind);
    const one = candidates[call.pick % Math.max(candidates.length, 1)];
    if (one === undefined) return { said: async () => 0, expected: () => 0 };
    const { key } = call;
    const gone = kind === "session" ? "SESSION_NOT_FOUND" : "BLOCK_NOT_FOUND";
    return {
      said: async () => {
        await work(loci, one, call);
        return "done";
      },
      expected: () => {
        if (!may(key, role)) return "ROLE_REQUIRED";
        if (!covers(key, one.scope)) return "SCOPE_NOT_PERMITTED";
        return one.tenant === key.tenant && one.isThere ? "done" : gone;
      },
    };
  };
}

const ownsBlocks = (scope: string): boolean => scope.startsWith("user:") || scope.startsWith("team:");

/** Calls on sessions and blocks. */
export const familyMethods: Readonly<Record<string, Method>> = {
  createSession: ({ named }, loci, { key, scope }) => ({
    said: async () => {
      const name = `s${named.length}`;
      await loci.sessions.create({ scope, id: name });
      named.push({ kind: "session", name, tenant: key.tenant, scope, isThere: true });
      return "done";
    },
    expected: () => (!may(key, "write") ? "ROLE_REQUIRED" : covers(key, scope) ? "done" : "SCOPE_NOT_PERMITTED"),
  }),
  getSession: onNamed("session", "read", ({ sessions }, { scope, name }) => sessions.get({ scope, id: name })),
  listTurns: onNamed("session", "read", ({ sessions }, { scope, name }) => sessions.turns({ scope, id: name })),
  loadTurnState: onNamed("session", "read", ({ sessions }, { scope, name }) =>
    sessions.turnState.load({ scope, id: name }),
  ),
  appendTurns: onNamed("session", "write", async ({ sessions }, { scope, name }, { pick }) => {
    const turns = [{ role: "user", content: `canary ${pick}` }] as const;
    const append = (expectedLast: number): Promise<unknown> =>
      sessions.append({ scope, id: name }, { expectedLast, turns });
    await append(0).catch((error: unknown) => {
      if ((error as { reason?: string }).reason !== "TURN_CONFLICT") throw error;
    });
  }),
  startCapture: onNamed("session", "write", async ({ captures }, { scope, name }) => {
    await captures.start({ session: { scope, id: name }, dryRun: true }).catch((error: unknown) => {
      // Without turns there is nothing to capture.
      if ((error as { reason?: string }).reason !== "INVALID_REQUEST") throw error;
    });
  }),
  assembleSession: onNamed("session", "read", async (loci, { scope, name }) => {
    await loci.assemble({ query: "canary", session: { scope, id: name } });
  }),
  deleteSession: onNamed("session", "write", async ({ sessions }, named) => {
    await sessions.delete({ scope: named.scope, id: named.name });
    named.isThere = false;
  }),
  listSessions: (world, loci, { key, scope, other }) => ({
    said: async () => {
      const { sessions } = await loci.sessions.list({ scopes: [scope, other], pageSize: 1_000 });
      return sessions.map(({ id }) => id).toSorted();
    },
    expected: () => {
      if (!may(key, "read")) return "ROLE_REQUIRED";
      if (![scope, other].every((one) => covers(key, one))) return "SCOPE_NOT_PERMITTED";
      return seen(world, key, "session", [scope, other]);
    },
  }),
  createBlock: ({ named }, loci, { key, scope }) => ({
    said: async () => {
      const name = `block_${named.length}`;
      await loci.blocks.create({ owner: scope, label: name, schema: "human", values: { name: "canary" } });
      named.push({ kind: "block", name, tenant: key.tenant, scope, isThere: true });
      return "done";
    },
    expected: () => {
      if (!ownsBlocks(scope)) return "INVALID_SCOPE";
      return !may(key, "approve") ? "ROLE_REQUIRED" : covers(key, scope) ? "done" : "SCOPE_NOT_PERMITTED";
    },
  }),
  getBlock: onNamed("block", "read", ({ blocks }, { scope, name }) => blocks.get({ owner: scope, label: name })),
  blockHistory: onNamed("block", "read", ({ blocks }, { scope, name }) =>
    blocks.history({ owner: scope, label: name }),
  ),
  proposeEdit: onNamed("block", "write", ({ blocks }, { scope, name }, { pick }) =>
    blocks.propose({
      owner: scope,
      label: name,
      operations: [{ op: "set", field: "role", value: `canary ${pick % 60}` }],
    }),
  ),
  listBlocks: (world, loci, { key, scope }) => ({
    said: async () => (await loci.blocks.list({ owner: scope })).map(({ label }) => label).toSorted(),
    expected: () => {
      if (!ownsBlocks(scope)) return "INVALID_SCOPE";
      if (!may(key, "read")) return "ROLE_REQUIRED";
      return covers(key, scope) ? seen(world, key, "block", [scope]) : "SCOPE_NOT_PERMITTED";
    },
  }),
};
