import assert from "node:assert/strict";
import {
  formatScope,
  type ListMemoryScopesRequest,
  type ListMemoryScopesResult,
  type Loci,
  type ScopeText,
  tenantId,
} from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

/** In the order of their names by code points, each with as many memories as its place says, from 1. */
const filled = [
  "agent:builder",
  "global",
  "project:loci",
  "session:1",
  "user:Zoe",
  "user:alice",
  "user:alice2",
  "user:bob",
  "user:\uFFFD",
  "user:\u{1F600}",
] as const satisfies readonly ScopeText[];

async function fill(loci: Loci): Promise<void> {
  const inputs = filled.flatMap((scope, place) =>
    Array.from({ length: place + 1 }, (_, number) => ({ text: `Fact ${number} of ${scope}.`, scope })),
  );
  await loci.memories.rememberMany(inputs.toReversed());
}

/** As lines that are easy to compare. */
function linesOf({ scopes }: ListMemoryScopesResult): readonly string[] {
  return scopes.map(({ scope, memories }) => `${formatScope(scope)} ${memories}`);
}

function expected(...scopes: readonly ScopeText[]): readonly string[] {
  return filled.flatMap((scope, place) => (scopes.includes(scope) ? [`${scope} ${place + 1}`] : []));
}

/** Page after page; how many scopes each had is checked as well. */
async function everyPage(loci: Loci, request: ListMemoryScopesRequest): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let pageToken: string | undefined; ;) {
    const page = await loci.memories.scopes({ ...request, pageToken });
    lines.push(...linesOf(page));
    if (page.nextPageToken === undefined) return lines;
    assert.equal(page.scopes.length, request.pageSize);
    ({ nextPageToken: pageToken } = page);
  }
}

/** Where memories are, as far as a principal may know. */
export const memoryScopeCases: BehaviourFile = {
  covers: ["memories.scopes"],
  cases: [
    {
      name: "scopes gives each scope once with its number of memories, in the order of names, by pages of any size",
      run: async ({ loci }) => {
        assert.deepEqual(await loci.memories.scopes(), { scopes: [] });
        await fill(loci);
        const all = await loci.memories.scopes();
        assert.deepEqual(linesOf(all), expected(...filled));
        assert.equal(all.nextPageToken, undefined);
        assert.deepEqual(all.scopes.slice(1, 3), [
          { scope: { kind: "global" }, memories: 2 },
          { scope: { kind: "project", id: "loci" }, memories: 3 },
        ]);
        for (const pageSize of [1, 3, 10]) assert.deepEqual(await everyPage(loci, { pageSize }), expected(...filled));
        const users = filled.filter((scope) => scope.startsWith("user:"));
        assert.deepEqual(await everyPage(loci, { kind: "user", pageSize: 2 }), expected(...users));
        assert.deepEqual(await everyPage(loci, { kind: "global", pageSize: 2 }), expected("global"));
        assert.deepEqual(await loci.memories.scopes({ kind: "team" }), { scopes: [] });
      },
    },
    {
      name: "scopes shows a principal what its patterns cover, and no page tells of anything else",
      run: async ({ loci, as }) => {
        await fill(loci);
        const users = filled.filter((scope) => scope.startsWith("user:"));
        const narrow: readonly (readonly [patterns: readonly string[], seen: readonly ScopeText[]])[] = [
          [
            ["user:alice", "user:nobody", "session:*"],
            ["session:1", "user:alice"],
          ],
          [
            ["user:*", "user:alice", "global"],
            ["global", ...users],
          ],
          [
            ["user:\u{1F600}", "user:\uFFFD"],
            ["user:\uFFFD", "user:\u{1F600}"],
          ],
          [["team:*"], []],
        ];
        for (const [scopePatterns, seen] of narrow) {
          const limited = await as({ roles: ["read"], scopePatterns });
          assert.deepEqual(linesOf(await limited.memories.scopes()), expected(...seen));
          assert.deepEqual(await everyPage(limited, { pageSize: 1 }), expected(...seen));
          const kind = seen.filter((scope) => scope.startsWith("user:"));
          assert.deepEqual(await everyPage(limited, { kind: "user", pageSize: 1 }), expected(...kind));
        }
        // A token of somebody who sees more is a place, and no key.
        const { nextPageToken: pageToken } = await loci.memories.scopes({ pageSize: 1 });
        const alice = await as({ scopePatterns: ["user:alice"] });
        assert.deepEqual(linesOf(await alice.memories.scopes({ pageToken })), expected("user:alice"));
        const other = await as({ tenant: tenantId("acme-corp") });
        assert.deepEqual(await other.memories.scopes(), { scopes: [] });
        await refuses(other.memories.scopes({ pageToken }), "INVALID_PAGE_TOKEN", "pageToken");
        await refuses((await as({ roles: ["write"] })).memories.scopes(), "ROLE_REQUIRED");
      },
    },
    {
      name: "scopes counts what is active: not what was forgotten, and what has expired until it was found",
      run: async ({ loci, as }) => {
        const [kept, forgotten] = await loci.memories.rememberMany([
          { text: "Stays.", scope: "user:alice" },
          { text: "Goes.", scope: "user:bob" },
          { text: "Expired.", scope: "user:alice", expiresAt: 1 },
        ]);
        assert.ok(kept !== undefined && forgotten !== undefined);
        assert.deepEqual(linesOf(await loci.memories.scopes()), ["user:alice 2", "user:bob 1"]);
        await loci.memories.update(kept.id, { text: "Stays, changed." }, { etag: kept.etag });
        await loci.memories.forget(forgotten.id);
        assert.deepEqual(linesOf(await loci.memories.scopes()), ["user:alice 2"]);
        await loci.memories.restore(forgotten.id, 1);
        await (await as({ roles: ["admin"] })).maintenance.expire();
        assert.deepEqual(linesOf(await loci.memories.scopes()), ["user:alice 1", "user:bob 1"]);
      },
    },
    {
      name: "scopes refuses bad input and foreign page tokens, and is cancelled",
      run: async ({ loci }) => {
        await fill(loci);
        await refuses(loci.memories.scopes({ kind: "person" as "user" }), "INVALID_REQUEST", "kind");
        await refuses(loci.memories.scopes({ kinds: ["user"] } as ListMemoryScopesRequest), "INVALID_REQUEST");
        await refuses(loci.memories.scopes({ pageSize: 0 }), "INVALID_NUMBER", "pageSize");
        await refuses(loci.memories.scopes({ pageSize: 1_001 }), "INVALID_NUMBER", "pageSize");
        for (const pageToken of ["", "x", "W10", "bnVsbA", "../../etc/passwd"])
          await refuses(loci.memories.scopes({ pageToken }), "INVALID_PAGE_TOKEN", "pageToken");
        const { nextPageToken: pageToken } = await loci.memories.scopes({ pageSize: 1 });
        assert.ok(pageToken !== undefined);
        await refuses(loci.memories.scopes({ kind: "user", pageToken }), "INVALID_PAGE_TOKEN", "pageToken");
        const listed = await loci.memories.list({ scopes: ["user:bob"], pageSize: 1 });
        await refuses(loci.memories.scopes({ pageToken: listed.nextPageToken }), "INVALID_PAGE_TOKEN", "pageToken");
        const signal = AbortSignal.abort();
        await refuses(loci.memories.scopes({}, { signal }), "CANCELLED");
      },
    },
  ],
};
