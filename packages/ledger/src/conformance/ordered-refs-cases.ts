import { deepEqual } from "node:assert/strict";
import {
  globalScope,
  type MemoryOrder,
  memoryOrders,
  type MemoryRecord,
  type Ref,
  type Scope,
  scopeKinds,
  unpackedMemoryIds,
} from "@loci/domain";
import type { RefsQuery } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, type LedgerContext } from "./ledger-context.ts";
import { beginning, refNumber, removed, sampleMemory } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };
const billing: Scope = { kind: "project", id: "billing" };

const everything: RefsQuery = {
  kinds: scopeKinds,
  scopes: [],
  states: ["active"],
  evaluationTime: beginning,
  order: "created",
  limit: 100_000,
};

async function listed(context: LedgerContext, query: Partial<RefsQuery> = {}): Promise<readonly Ref[]> {
  return unpackedMemoryIds(await context.ledger.refs(context.tenant, { ...everything, ...query }));
}

/** Many of them alike in what they are ordered by, and not in the order of their refs. */
function mixed(count: number): readonly MemoryRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const number = (index * 7_919) % count;
    return sampleMemory(number + 1, {
      scope: [alice, bob, billing, globalScope][number % 4] as Scope,
      category: number % 3 === 0 ? "preference" : "fact",
      createdAt: beginning + (number % 50),
      updatedAt: beginning + ((number * 31) % 40),
      importance: (number % 11) / 10,
      text: `memory ${number % 10}`,
    });
  });
}

interface Used {
  readonly count: number;
  readonly at: number;
}

function keyOf(memory: MemoryRecord, order: MemoryOrder, used: Used | undefined): number {
  const byOrder: Record<MemoryOrder, number> = {
    created: memory.createdAt,
    updated: memory.updatedAt,
    used: used?.at ?? -Infinity,
    uses: used?.count ?? 0,
    importance: memory.importance,
  };
  return byOrder[order];
}

function ordered(
  memories: readonly MemoryRecord[],
  order: MemoryOrder,
  used: ReadonlyMap<Ref, Used> = new Map(),
): readonly Ref[] {
  const key = (memory: MemoryRecord): number => keyOf(memory, order, used.get(memory.id));
  return memories
    .toSorted((left, right) => {
      const [one, other] = [key(left), key(right)];
      return one === other ? (left.id < right.id ? -1 : 1) : other > one ? 1 : -1;
    })
    .map(({ id }) => id);
}

/** Refs in an order, however many there are. */
export const orderedRefsCases: LedgerCaseFile = {
  covers: ["refs"],
  cases: [
    {
      method: "refs",
      name: "gives each ref once in every order, of scopes and of kinds, and where each memory is asked",
      run: async (context) => {
        const { ledger, tenant } = context;
        const memories = mixed(700);
        await context.remember(...memories);
        const used = new Map<Ref, Used>();
        for (const [index, { id }] of memories.slice(0, 60).entries()) {
          const at = beginning + ((index * 13) % 20);
          const count = 1 + (index % 4);
          await ledger.recordUsage(
            tenant,
            Array.from({ length: count }, () => ({ ref: id, at })),
          );
          used.set(id, { count, at });
        }
        const asked = (memory: MemoryRecord): boolean => memory.text.endsWith("7");
        const ways: readonly [Partial<RefsQuery>, (memory: MemoryRecord) => boolean][] = [
          [{}, () => true],
          [{ kinds: [], scopes: [bob, billing] }, ({ scope }) => scope.id === "bob" || scope.kind === "project"],
          [{ kinds: ["global"], scopes: [alice] }, ({ scope }) => scope.kind === "global" || scope.id === "alice"],
          [{ kinds: ["user"], scopes: [] }, ({ scope }) => scope.kind === "user"],
          [{ kinds: [], scopes: [{ kind: "user", id: "alic" }] }, () => false],
          [{ kinds: [], scopes: [] }, () => false],
          [{ categories: ["preference"] }, ({ category }) => category === "preference"],
          [{ suits: asked }, asked],
          [{ suits: asked, kinds: [], scopes: [bob] }, (memory) => asked(memory) && memory.scope.id === "bob"],
        ];
        for (const order of memoryOrders)
          for (const [index, [query, isWanted]] of ways.entries())
            deepEqual(
              await listed(context, { ...query, order }),
              ordered(memories.filter(isWanted), order, used),
              `${order} ${index}`,
            );
      },
    },
    {
      method: "refs",
      name: "gives what is in the states that are asked for, without what has expired",
      run: async (context) => {
        const waiting = sampleMemory(2, { state: "quarantined" });
        await context.remember(sampleMemory(1), waiting, sampleMemory(3), sampleMemory(4, { state: "quarantined" }));
        await context.remember(
          sampleMemory(5, { expiresAt: beginning }),
          sampleMemory(6, { expiresAt: beginning + 1 }),
        );
        await context.commit([removed(refNumber(3), 2), removed(refNumber(4), 2)]);
        const cases: readonly [Partial<RefsQuery>, readonly number[]][] = [
          [{}, [6, 1]],
          [{ evaluationTime: beginning - 1 }, [6, 5, 1]],
          [{ states: ["quarantined"] }, [2]],
          [{ states: ["deleted"] }, [3]],
          [{ states: ["deleted"], withUnapproved: true }, [4, 3]],
          [{ states: ["active", "quarantined", "deleted"] }, [6, 3, 2, 1]],
        ];
        for (const [query, numbers] of cases)
          for (const suits of [undefined, () => true]) {
            deepEqual(await listed(context, { ...query, suits }), numbers.map(refNumber), JSON.stringify(query));
            deepEqual(
              new Set(await listed(context, { ...query, suits, order: "importance" })),
              new Set(numbers.map(refNumber)),
            );
          }
        const [quoted, greek] = ['She said "Wow\\!" to Bob.', "ΟΔΟΣ Ä \u212A"];
        await context.remember(sampleMemory(8, { text: quoted }), sampleMemory(9, { text: greek, slot: "weather" }));
        const texts: readonly [string, readonly number[]][] = [
          ["SAID", [8]],
          ['"wow\\!', [8]],
          ["\\", [8]],
          ["οδος ä k", [9]],
          ["k", [9]],
          ["weather", []],
          ["memory 6", [6]],
        ];
        for (const [text, numbers] of texts)
          deepEqual(await listed(context, { text }), numbers.map(refNumber), JSON.stringify(text));
        deepEqual(
          await listed(context, { text: "o", suits: ({ slot }) => slot === undefined }),
          [8, 6, 1].map(refNumber),
        );
        await context.remember(sampleMemory(1, { version: 2, createdAt: beginning + 9, text: "changed" }));
        deepEqual(await listed(context, { suits: ({ text }) => text === "changed" }), [refNumber(1)]);
      },
    },
    {
      method: "refs",
      name: "orders many thousands, and refuses more than it may give",
      run: async (context) => {
        const memories = mixed(4_500);
        for (let start = 0; start < memories.length; start += 1_000)
          await context.remember(...memories.slice(start, start + 1_000));
        for (const order of ["updated", "importance"] as const)
          deepEqual(await listed(context, { order, limit: memories.length }), ordered(memories, order));
        const odd = (memory: MemoryRecord): boolean => memory.importance > 0.2;
        deepEqual(await listed(context, { order: "updated", suits: odd }), ordered(memories.filter(odd), "updated"));
        const { ledger, tenant } = context;
        for (const suits of [undefined, () => true])
          await expectRefusal(() => ledger.refs(tenant, { ...everything, suits, limit: 4_499 }), "TOO_MANY_MEMORIES");
      },
    },
    {
      method: "refs",
      name: "ends when its call is given up",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(...mixed(900));
        const gone = AbortSignal.abort();
        await expectRefusal(() => ledger.refs(tenant, everything, { signal: gone }), "CANCELLED");
        const leaving = new AbortController();
        const slow = (): boolean => {
          const until = performance.now() + 1;
          while (performance.now() < until);
          leaving.abort();
          return true;
        };
        const { signal } = leaving;
        await expectRefusal(() => ledger.refs(tenant, { ...everything, suits: slow }, { signal }), "CANCELLED");
      },
    },
  ],
};
