import assert from "node:assert/strict";
import {
  type Loci,
  type MemoryChange,
  type MemoryId,
  type MemoryIdsPart,
  type MemoryIdsRequest,
  tenantId,
  unpackedMemoryIds,
} from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const alice = "user:alice";
const bob = "user:bob";

async function partsOf(loci: Loci, request: MemoryIdsRequest): Promise<readonly MemoryIdsPart[]> {
  const parts: MemoryIdsPart[] = [];
  for await (const part of loci.memories.ids(request)) parts.push(part);
  return parts;
}

async function idsOf(loci: Loci, request: MemoryIdsRequest): Promise<readonly MemoryId[]> {
  return (await partsOf(loci, request)).flatMap(({ ids }) => unpackedMemoryIds(ids));
}

/** The change that a watch tells of first. */
async function firstChange(loci: Loci, since: string): Promise<MemoryChange | undefined> {
  for await (const change of loci.memories.watch({ scopes: "*", since })) return change;
  return undefined;
}

export const memoryIdCases: BehaviourFile = {
  covers: ["memories.ids"],
  cases: [
    {
      name: "ids lists all memories in each order, and says how many and as of when",
      run: async ({ loci }) => {
        const written = await loci.memories.rememberMany([
          { text: "The theme is Nord.", scope: alice, importance: 0.2, createdAt: 3_000, category: "preference" },
          { text: "Deploys happen on Fridays.", scope: bob, importance: 0.9, createdAt: 1_000 },
          { text: "The cat sleeps below the piano.", scope: alice, importance: 0.5, createdAt: 2_000 },
        ]);
        const [nord, deploys, cat] = written.map(({ id }) => id) as [MemoryId, MemoryId, MemoryId];
        const [first] = written;
        assert.ok(first !== undefined);
        const changed = await loci.memories.update(deploys, { importance: 0.95 }, { etag: written[1]?.etag as never });
        await loci.memories.markUsed([cat]);
        await loci.settled();
        const list = (orderBy?: MemoryIdsRequest["orderBy"], scopes: MemoryIdsRequest["scopes"] = "*") =>
          idsOf(loci, { scopes, orderBy });
        assert.deepEqual(await list(), [nord, cat, deploys]);
        assert.deepEqual(await list("created", [alice]), [nord, cat]);
        assert.deepEqual(await list("created", [bob, bob, alice]), [nord, cat, deploys]);
        assert.deepEqual(await list("importance"), [deploys, cat, nord]);
        assert.deepEqual(await list("used"), [cat, ...[nord, deploys].toSorted()]);
        assert.deepEqual(await list("uses"), [cat, ...[nord, deploys].toSorted()]);
        assert.ok(changed.updatedAt >= first.updatedAt);
        const byUpdate = [...written.filter(({ id }) => id !== deploys), changed].toSorted(
          (one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : 1),
        );
        assert.deepEqual(
          await list("updated"),
          byUpdate.map(({ id }) => id),
        );

        const [part, ...others] = await partsOf(loci, { scopes: "*" });
        assert.ok(part !== undefined);
        assert.deepEqual([others.length, part.offset, part.total, part.ids.length], [0, 0, 3, 48]);
        assert.equal((await firstChange(loci, part.cursor))?.type, "reached");
        await loci.memories.forget(nord);
        const told = await firstChange(loci, part.cursor);
        assert.deepEqual(told?.type === "removed" && told.id, nord);
        assert.deepEqual(await list(), [cat, deploys]);
        const [empty, ...none] = await partsOf(loci, { scopes: ["user:nobody"] });
        assert.deepEqual([empty?.total, empty?.ids.length, none.length], [0, 0, 0]);
      },
    },
    {
      name: "ids lists what the filters say: category, state, fields, metadata and what the text holds",
      run: async ({ loci, as }) => {
        const written = await loci.memories.rememberMany([
          { text: "We chose PostgreSQL.", scope: alice, category: "decision", tags: ["db"], metadata: { team: "x" } },
          { text: "postgresql 17 is out.", scope: alice, importance: 0.9, metadata: { team: 7 } },
          { text: "ÄRGER mit der Datenbank.", scope: alice, expiresAt: 5_000, createdAt: 1_000 },
          { text: "Gone.", scope: alice },
        ]);
        const [decision, news, trouble, gone] = written.map(({ id }) => id) as [MemoryId, MemoryId, MemoryId, MemoryId];
        await loci.memories.forget(gone);
        const found = async (request: Omit<MemoryIdsRequest, "scopes">): Promise<readonly MemoryId[]> =>
          (await idsOf(loci, { scopes: [alice], ...request })).toSorted();
        assert.deepEqual(await found({ text: "POSTGRES" }), [decision, news].toSorted());
        assert.deepEqual(await found({ text: "ärger" }), []);
        assert.deepEqual(await found({ text: "ärger", evaluationTime: 4_999 }), [trouble]);
        assert.deepEqual(await found({ text: "100%" }), []);
        assert.deepEqual(await found({ categories: ["decision"] }), [decision]);
        assert.deepEqual(await found({ states: ["deleted"] }), [gone]);
        assert.deepEqual(await found({ states: ["deleted", "active"], text: "o" }), [decision, news, gone].toSorted());
        const importance = { field: "importance", operator: "atLeast", value: 0.9 } as const;
        assert.deepEqual(await found({ where: importance }), [news]);
        assert.deepEqual(await found({ where: { field: "tags", operator: "contains", value: "db" } }), [decision]);
        const team = { field: "metadata.team", operator: "equals", value: "x" } as const;
        assert.deepEqual(await found({ where: team }), [decision]);
        assert.deepEqual(await found({ where: { not: team }, text: "postgres" }), [news]);
        assert.deepEqual(await found({ where: { ...team, field: "metadata.constructor" } }), []);
        const lesson = "Deploy on weekdays only.";
        const waiting = await loci.captures.recordPostMortem({ scope: alice, failure: "The deploy failed.", lesson });
        assert.deepEqual((await found({})).includes(waiting.id), false);
        const approver = await as({ roles: ["read", "approve"] });
        assert.deepEqual(await idsOf(approver, { scopes: "*", states: ["quarantined"] }), [waiting.id]);
      },
    },
    {
      name: "ids are those that the caller may read, and no others",
      run: async ({ loci, as }) => {
        const [own, foreign] = await loci.memories.rememberMany([
          { text: "Of Alice.", scope: alice },
          { text: "Of Bob.", scope: bob },
          { text: "Of all.", scope: "global" },
        ]);
        assert.ok(own && foreign);
        const narrow = await as({ scopePatterns: [alice], roles: ["read"] });
        for (const request of [{ scopes: "*" }, { scopes: "*", text: "of" }] as const)
          assert.deepEqual(await idsOf(narrow, request), [own.id]);
        const users = await as({ scopePatterns: ["user:*"] });
        assert.deepEqual((await idsOf(users, { scopes: "*" })).toSorted(), [own.id, foreign.id].toSorted());
        await refuses(idsOf(narrow, { scopes: [alice, bob] }), "SCOPE_NOT_PERMITTED");
        await refuses(idsOf(narrow, { scopes: "*", states: ["quarantined"] }), "ROLE_REQUIRED");
        await refuses(idsOf(await as({ roles: ["write"] }), { scopes: "*" }), "ROLE_REQUIRED");
        assert.deepEqual(await idsOf(await as({ tenant: tenantId("globex") }), { scopes: "*" }), []);
      },
    },
    {
      name: "ids refuses bad input, naming the field, and is cancelled",
      run: async ({ loci }) => {
        const list = (request: object): Promise<unknown> => idsOf(loci, { scopes: "*", ...request });
        await refuses(idsOf(loci, { scopes: [] }), "SCOPE_REQUIRED");
        await refuses(list({ orderBy: "name" }), "INVALID_REQUEST", "orderBy");
        await refuses(list({ states: ["lost"] }), "INVALID_REQUEST", "states[0]");
        await refuses(list({ states: [] }), "INVALID_REQUEST", "states");
        await refuses(list({ text: "" }), "INVALID_TEXT", "text");
        await refuses(list({ text: "x".repeat(1_001) }), "TEXT_TOO_LARGE", "text");
        await refuses(list({ where: { field: "colour", operator: "equals", value: "red" } }), "INVALID_FILTER");
        await refuses(list({ sort: "created" }), "INVALID_REQUEST");
        const cancelled = loci.memories.ids({ scopes: "*" }, { signal: AbortSignal.abort() });
        await refuses(cancelled[Symbol.asyncIterator]().next(), "CANCELLED");
      },
    },
  ],
};
