import { deepEqual } from "node:assert/strict";
import { globalScope, type Scope, type ScopeKind, scopeKinds, type ScopeMemories, type TenantId } from "@loci/domain";
import type { ScopesQuery } from "../index.ts";
import { authorOf, expectRefusal, type LedgerCaseFile, type LedgerContext } from "./ledger-context.ts";
import { beginning, refNumber, removed, sampleMemory, written } from "./samples.ts";

const everyKind: Pick<ScopesQuery, "kinds" | "scopes"> = { kinds: scopeKinds, scopes: [] };

const scope = (kind: Exclude<ScopeKind, "global">, id: string): Scope => ({ kind, id });
const user = (id: string): Scope => scope("user", id);

/** In the order of a ledger: that of code points, in which U+FFFD comes before the first character beyond 16 bits. */
const ordered: readonly Scope[] = [
  scope("agent", "z"),
  globalScope,
  scope("project", "a"),
  scope("project", "a:b"),
  scope("session", "1"),
  scope("team", "a"),
  user("A"),
  user("a"),
  user("a%"),
  user("a_c"),
  user("abc"),
  user("é"),
  user("\uFFFD"),
  user("\u{1F600}"),
];

/** Puts one memory into the first scope, two into the second, and so on; from the last scope to the first. */
async function fill(context: LedgerContext): Promise<readonly ScopeMemories[]> {
  const expected = ordered.map((each, index) => ({ scope: each, memories: index + 1 }));
  let number = 0;
  const memories = expected
    .toReversed()
    .flatMap((each) => Array.from({ length: each.memories }, () => sampleMemory((number += 1), { scope: each.scope })));
  await context.remember(...memories);
  return expected;
}

async function inStretches({ ledger, tenant }: LedgerContext, query: ScopesQuery): Promise<readonly ScopeMemories[]> {
  const found: ScopeMemories[] = [];
  for (;;) {
    const stretch = await ledger.scopes(tenant, { ...query, after: found.at(-1)?.scope });
    found.push(...stretch);
    if (stretch.length < query.limit) return found;
  }
}

/** Where memories are, and how many. */
export const scopesCases: LedgerCaseFile = {
  covers: ["scopes"],
  cases: [
    {
      method: "scopes",
      name: "gives each scope once with its number of memories, in the order of names, in stretches of any length",
      run: async (context) => {
        const expected = await fill(context);
        for (const limit of [1, 3, 14, 100])
          deepEqual(await inStretches(context, { ...everyKind, limit }), expected, String(limit));
      },
    },
    {
      method: "scopes",
      name: "gives those of the kinds and those named, each once, and no others",
      run: async (context) => {
        const expected = await fill(context);
        const { ledger, tenant } = context;
        const named = [user("\u{1F600}"), user("a"), scope("team", "a"), user("\uFFFD"), user("a"), user("nobody")];
        for (const limit of [1, 2, 100]) {
          const some = await inStretches(context, { kinds: ["project", "global", "team"], scopes: named, limit });
          deepEqual(
            some,
            [1, 2, 3, 5, 7, 12, 13].map((index) => expected[index]),
          );
        }
        // A name is no pattern, and one kind has no names of another.
        for (const other of [user("%"), user("*"), user("a:b"), user(""), scope("agent", "a")])
          deepEqual(await ledger.scopes(tenant, { kinds: [], scopes: [other], limit: 9 }), []);
        deepEqual(await ledger.scopes(tenant, { kinds: [], scopes: [globalScope], limit: 9 }), [expected[1]]);
        deepEqual(await ledger.scopes(tenant, { kinds: [], scopes: [], limit: 9 }), []);
        const behindGlobal = { kinds: ["global" as const], scopes: [], after: globalScope, limit: 9 };
        deepEqual(await ledger.scopes(tenant, behindGlobal), []);
      },
    },
    {
      method: "scopes",
      name: "counts active memories only, those that have expired among them, and follows what becomes of them",
      run: async (context) => {
        const { ledger, tenant } = context;
        const counts = async (): Promise<unknown> =>
          (await ledger.scopes(tenant, { ...everyKind, limit: 99 })).map(({ scope: { id }, memories }) => [
            id,
            memories,
          ]);
        deepEqual(await counts(), []);
        await context.remember(
          sampleMemory(1, { scope: user("a") }),
          sampleMemory(2, { scope: user("a"), state: "quarantined" }),
          sampleMemory(3, { scope: user("a"), expiresAt: beginning - 1 }),
          sampleMemory(4, { scope: user("b") }),
          sampleMemory(5, { scope: user("c"), state: "quarantined" }),
        );
        deepEqual(await counts(), [
          ["a", 2],
          ["b", 1],
        ]);
        await context.commit([
          written(sampleMemory(1, { scope: user("a"), version: 2, text: "edited" })),
          written(sampleMemory(5, { scope: user("c"), version: 2 })),
          removed(refNumber(4), 2),
        ]);
        deepEqual(await counts(), [
          ["a", 2],
          ["c", 1],
        ]);
        await context.commit([written(sampleMemory(4, { scope: user("b"), version: 3 }))]);
        deepEqual(await counts(), [
          ["a", 2],
          ["b", 1],
          ["c", 1],
        ]);
        await ledger.purge(tenant, { refs: [refNumber(3), refNumber(5)] });
        deepEqual(await counts(), [
          ["a", 1],
          ["b", 1],
        ]);
        await ledger.purge(tenant, { scopes: [user("b")] });
        deepEqual(await counts(), [["a", 1]]);
        await ledger.purge(tenant, { everything: true });
        deepEqual(await counts(), []);
      },
    },
    {
      method: "scopes",
      name: "counts each tenant's own, whatever tenants are called",
      run: async (context) => {
        const { ledger } = context;
        const tenants = ["a", "A", "a%", "a_", "ab", "x' OR 1=1 --"].map(
          (name) => `${context.tenant}${name}` as TenantId,
        );
        for (const [index, tenant] of tenants.entries()) {
          const own = Array.from({ length: index + 1 }, (_, number) => written(sampleMemory(number + 1)));
          const apart = written(sampleMemory(99, { scope: user(`only ${index}`) }));
          await context.commit([...own, apart], { ...authorOf(tenant) });
        }
        for (const [index, tenant] of tenants.entries()) {
          const expected = [
            { scope: user("alice"), memories: index + 1 },
            { scope: user(`only ${index}`), memories: 1 },
          ];
          deepEqual(await ledger.scopes(tenant, { ...everyKind, limit: 9 }), expected);
          const named = expected.map((each) => each.scope).concat(user(`only ${index + 1}`));
          deepEqual(await ledger.scopes(tenant, { kinds: [], scopes: named, limit: 9 }), expected);
        }
        deepEqual(await ledger.scopes(context.tenant, { ...everyKind, limit: 9 }), []);
      },
    },
    {
      method: "scopes",
      name: "passes over any number of scopes that hold nothing any more, and is cancelled by its signal",
      run: async (context) => {
        const { ledger, tenant } = context;
        const memories = Array.from({ length: 600 }, (_, index) =>
          sampleMemory(index + 1, { scope: user(String(index).padStart(4, "0")) }),
        );
        await context.remember(...memories);
        await context.commit(memories.slice(1, -1).map(({ id }) => removed(id, 2)));
        const left = await ledger.scopes(tenant, { ...everyKind, limit: 2 });
        deepEqual(
          left,
          [memories[0], memories.at(-1)].map((memory) => ({ scope: memory?.scope, memories: 1 })),
        );
        const signal = AbortSignal.abort();
        await expectRefusal(() => ledger.scopes(tenant, { ...everyKind, limit: 2 }, { signal }), "CANCELLED");
      },
    },
  ],
};
