import { deepEqual, equal, ok } from "node:assert/strict";
import { globalScope, type Ref, type Scope, type TenantId } from "@loci/domain";
import { memoriesFamily, type ResourceRemoved, type ResourceWritten, resourcePurged } from "../index.ts";
import { authorOf, expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import { beginning, refNumber, sampleMemory, written } from "./samples.ts";

const family = "notes";
const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };

/** A family that no ledger knows: a note with a title. */
function note(number: number, version = 1, rest: Partial<ResourceWritten> = {}): ResourceWritten {
  const state = { title: `note ${number}, version ${version}`, parts: [1, null, { é: "\u{1f600}" }] };
  return {
    type: "resourceWritten",
    family,
    kind: "noteWritten",
    ref: refNumber(number),
    version,
    scope: alice,
    state,
    ...rest,
  };
}

function noteRemoved(number: number, version: number): ResourceRemoved {
  return { type: "resourceRemoved", family, kind: "noteRemoved", ref: refNumber(number), version };
}

function refsIn(resources: readonly { readonly ref: Ref }[]): readonly Ref[] {
  return resources.map(({ ref }) => ref);
}

/** Resources of families without tables of their own. */
export const resourceCases: LedgerCaseFile = {
  covers: ["commit", "memories", "purge", "resources.entries", "resources.get", "resources.list"],
  cases: [
    {
      method: "resources.get",
      name: "gives what was written last, for its tenant and its family only",
      run: async ({ ledger, tenant }) => {
        const first = await ledger.commit({
          ...authorOf(tenant),
          expect: [],
          changes: [note(1), note(2, 1, { scope: globalScope, group: "g" })],
        });
        await ledger.commit({ ...authorOf(tenant), expect: [], changes: [note(1, 2, { state: "short" })] });
        const found = await ledger.resources.get(tenant, family, [1, 2, 3].map(refNumber));
        deepEqual(found.get(refNumber(1)), {
          ref: refNumber(1),
          family,
          scope: alice,
          version: 2,
          sequence: 3,
          recordedAt: found.get(refNumber(1))?.recordedAt,
          state: "short",
        });
        deepEqual(found.get(refNumber(2)), {
          ref: refNumber(2),
          family,
          scope: globalScope,
          group: "g",
          version: 1,
          sequence: 2,
          recordedAt: first.recordedAt,
          state: note(2).state,
        });
        equal(found.size, 2);
        equal((await ledger.resources.get(tenant, "others", [refNumber(1)])).size, 0);
        equal((await ledger.resources.get(`${tenant}'` as TenantId, family, [refNumber(1)])).size, 0);
        equal((await ledger.resources.get(tenant, family, [])).size, 0);
      },
    },
    {
      method: "resources.get",
      name: "gives tombstones without a state, which the next version may write over",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.commit([note(1)]);
        await context.commit([noteRemoved(1, 2)]);
        const removed = (await ledger.resources.get(tenant, family, [refNumber(1)])).get(refNumber(1));
        ok(removed !== undefined && !("state" in removed));
        equal(removed.version, 2);
        deepEqual(await ledger.resources.list(tenant, { family, scopes: [alice], limit: 10 }), []);
        await expectRefusal(() => context.commit([noteRemoved(1, 3)]), "VERSION_CONFLICT");
        await context.commit([note(1, 3)], { expect: [{ ref: refNumber(1), version: 2 }] });
        deepEqual(refsIn(await ledger.resources.list(tenant, { family, scopes: [alice], limit: 10 })), [refNumber(1)]);
      },
    },
    {
      method: "commit",
      name: "takes memories and resources together, or neither",
      run: async (context) => {
        const { ledger, tenant } = context;
        const committed = await context.commit([
          written(sampleMemory(1)),
          note(2),
          written(sampleMemory(3)),
          note(2, 2),
        ]);
        deepEqual(committed.results, [
          { ref: refNumber(1), version: 1 },
          { ref: refNumber(2), version: 1 },
          { ref: refNumber(3), version: 1 },
          { ref: refNumber(2), version: 2 },
        ]);
        const log = await ledger.changes(tenant, 0, 10);
        deepEqual(
          log.map((entry) => [entry.sequence, entry.family, entry.kind, entry.version]),
          [
            [1, memoriesFamily, "memoryWritten", 1],
            [2, family, "noteWritten", 1],
            [3, memoriesFamily, "memoryWritten", 1],
            [4, family, "noteWritten", 2],
          ],
        );
        equal(await ledger.head(tenant, { families: [memoriesFamily] }), 3);
        await expectRefusal(() => context.commit([written(sampleMemory(4)), note(2, 4)]), "VERSION_CONFLICT");
        await expectRefusal(() => context.commit([note(5), written(sampleMemory(1))]), "VERSION_CONFLICT");
        equal((await ledger.memories(tenant, [refNumber(4)])).size, 0);
        equal((await ledger.resources.get(tenant, family, [refNumber(5)])).size, 0);
        equal(await ledger.head(tenant), 4);
      },
    },
    {
      method: "commit",
      name: "of a resource follows expectations, versions and the family that has the ref",
      run: async (context) => {
        const ref = refNumber(1);
        await context.commit([note(1)], { expect: [{ ref, version: 0 }] });
        await expectRefusal(() => context.commit([note(1, 2)], { expect: [{ ref, version: 0 }] }), "VERSION_CONFLICT");
        await expectRefusal(() => context.commit([note(1)]), "VERSION_CONFLICT");
        await expectRefusal(() => context.commit([note(1, 3)]), "VERSION_CONFLICT");
        await expectRefusal(() => context.commit([noteRemoved(2, 1)]), "VERSION_CONFLICT");
        await expectRefusal(() => context.commit([note(1, 2, { family: "others" })]), "VERSION_CONFLICT");
        await context.commit([note(1, 2)], { expect: [{ ref, version: 1 }] });
        await context.remember(sampleMemory(9));
        // An expectation about a memory holds beside resources, too.
        const expect = [{ ref: refNumber(9), version: 1 }];
        await context.commit([note(1, 3)], { expect });
        await expectRefusal(
          () => context.commit([note(1, 4)], { expect: [{ ref: refNumber(9), version: 2 }] }),
          "VERSION_CONFLICT",
        );
      },
    },
    {
      method: "commit",
      name: "of a resource stays where the author may write, as it was and as it is to be",
      run: async (context) => {
        const { ledger, tenant } = context;
        const limited = { ...authorOf(tenant), scopePatterns: ["user:alice"], expect: [] };
        await ledger.commit({ ...limited, changes: [note(1)] });
        await expectRefusal(
          () => ledger.commit({ ...limited, changes: [note(2, 1, { scope: bob })] }),
          "SCOPE_NOT_PERMITTED",
        );
        await expectRefusal(
          () => ledger.commit({ ...limited, changes: [note(1, 2, { scope: bob })] }),
          "SCOPE_NOT_PERMITTED",
        );
        await context.commit([note(1, 2, { scope: bob })]);
        await expectRefusal(() => ledger.commit({ ...limited, changes: [note(1, 3)] }), "SCOPE_NOT_PERMITTED");
        await expectRefusal(() => ledger.commit({ ...limited, changes: [noteRemoved(1, 3)] }), "SCOPE_NOT_PERMITTED");
      },
    },
    {
      method: "commit",
      name: "of a resource is repeated by its idempotency key, with its author and reason in the log",
      run: async (context) => {
        const { ledger, tenant } = context;
        const idempotency = { method: "note", requestId: "r", bodyHash: "b" };
        const rest = { idempotency, author: { subject: "ann" }, reason: "ASKED" };
        const first = await context.commit([note(1)], rest);
        const again = await context.commit([note(1)], rest);
        deepEqual(again, { ...first, replayed: true });
        const [entry] = await ledger.changes(tenant, 0, 10);
        deepEqual([entry?.author, entry?.reason], [{ subject: "ann" }, "ASKED"]);
      },
    },
    {
      method: "commit",
      name: "of a resource tells listeners of its family",
      run: async (context) => {
        const heard: unknown[] = [];
        const stop = context.ledger.onCommitted((tenant, head, families) => {
          if (tenant === context.tenant) heard.push([head, families]);
        });
        await context.commit([note(1)]);
        await context.commit([note(1, 2), written(sampleMemory(5))]);
        stop();
        deepEqual(heard, [
          [1, [family]],
          [3, [family, memoriesFamily]],
        ]);
      },
    },
    {
      method: "resources.list",
      name: "gives those of scopes or of a group by ref, a stretch at a time",
      run: async (context) => {
        const { ledger, tenant } = context;
        const scopes = [alice, bob, globalScope] as const;
        await context.commit(
          Array.from({ length: 30 }, (_, number) =>
            note(number, 1, {
              scope: scopes[number % 3] as Scope,
              ...(number % 2 === 0 ? { group: `g${number % 4}` } : {}),
            }),
          ),
        );
        await context.commit([noteRemoved(3, 2), note(100, 1, { family: "others" })]);
        const numbers = async (query: Parameters<typeof ledger.resources.list>[1]): Promise<readonly number[]> =>
          (await ledger.resources.list(tenant, query)).map(({ ref }) => Number.parseInt(ref.slice(-4), 16));
        deepEqual(await numbers({ family, scopes: [alice], limit: 4 }), [0, 6, 9, 12]);
        deepEqual(await numbers({ family, scopes: [alice], limit: 100, after: refNumber(12) }), [15, 18, 21, 24, 27]);
        deepEqual(await numbers({ family, scopes: [alice, bob], limit: 5 }), [0, 1, 4, 6, 7]);
        deepEqual(await numbers({ family, group: "g2", limit: 3 }), [2, 6, 10]);
        deepEqual(await numbers({ family, group: "g2", limit: 9, after: refNumber(10) }), [14, 18, 22, 26]);
        deepEqual(await numbers({ family, group: "", limit: 9 }), []);
        deepEqual(await numbers({ family, fromGroup: "", limit: 9 }), [0, 4, 8, 12, 16, 20, 24, 28, 2]);
        deepEqual(await numbers({ family, fromGroup: "g0", limit: 4, after: refNumber(24) }), [28, 2, 6, 10]);
        deepEqual(await numbers({ family, fromGroup: "g2", limit: 9, after: refNumber(18) }), [22, 26]);
        deepEqual(await numbers({ family: "nobody's", fromGroup: "", limit: 9 }), []);
        equal((await ledger.resources.list(`${tenant}'` as TenantId, { family, fromGroup: "", limit: 9 })).length, 0);
        deepEqual(await numbers({ family: "nobody's", scopes: [alice], limit: 9 }), []);
        equal((await ledger.resources.list(`${tenant}'` as TenantId, { family, scopes: [alice], limit: 9 })).length, 0);
      },
    },
    {
      method: "resources.entries",
      name: "gives what happened to one resource from either end, with the payload of each entry",
      run: async (context) => {
        const { ledger, tenant } = context;
        for (let version = 1; version <= 12; version++)
          await context.commit([note(1, version, { payload: { turn: version } }), written(sampleMemory(version + 50))]);
        await context.commit([noteRemoved(1, 13)]);
        const versions = async (
          order: "oldestFirst" | "newestFirst",
          rest: { after?: number; before?: number; limit?: number } = {},
        ): Promise<readonly number[]> =>
          (await ledger.resources.entries(tenant, { family, ref: refNumber(1), order, limit: 100, ...rest })).map(
            ({ version }) => version,
          );
        deepEqual(await versions("newestFirst", { limit: 3 }), [13, 12, 11]);
        deepEqual(await versions("newestFirst", { before: 5, limit: 2 }), [4, 3]);
        deepEqual(await versions("oldestFirst", { after: 10 }), [11, 12, 13]);
        deepEqual(await versions("oldestFirst", { after: 3, before: 6 }), [4, 5]);
        const [last] = await ledger.resources.entries(tenant, {
          family,
          ref: refNumber(1),
          order: "newestFirst",
          before: 13,
          limit: 1,
        });
        deepEqual([last?.kind, last?.payload, last?.author], ["noteWritten", { turn: 12 }, { subject: "local" }]);
        const other = { family: "others", ref: refNumber(1), order: "newestFirst", limit: 9 } as const;
        deepEqual(await ledger.resources.entries(tenant, other), []);
        const memory = { family: memoriesFamily, ref: refNumber(51), order: "newestFirst", limit: 9 } as const;
        deepEqual(await ledger.resources.entries(tenant, memory), []);
      },
    },
    {
      method: "memories",
      name: "and every other read know nothing of resources",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1));
        await context.commit([note(2), note(3)]);
        const query = { scopes: [alice] as const, evaluationTime: beginning, limit: 100 };
        equal((await ledger.memories(tenant, [2, 3].map(refNumber))).size, 0);
        deepEqual(await ledger.versions(tenant, refNumber(2)), []);
        equal((await ledger.list(tenant, query)).length, 1);
        equal((await ledger.scan(tenant, { limit: 100 })).length, 1);
        equal(await ledger.count(tenant), 1);
        equal((await ledger.asKnownAt(tenant, { ...query, knownAt: beginning + 1_000_000_000_000 })).length, 1);
      },
    },
    {
      method: "purge",
      name: "by refs removes resources for good: state, payloads and authors, and the ref does not come back",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.commit([note(1), note(2)], { author: { subject: "canary" }, reason: "CANARY" });
        await context.commit([note(1, 2, { payload: "canary" })]);
        await context.remember(sampleMemory(3));
        const { memories, resources, head } = await ledger.purge(tenant, { refs: [refNumber(1), refNumber(9)] });
        deepEqual([memories, resources, head], [0, 1, 5]);
        equal((await ledger.resources.get(tenant, family, [refNumber(1)])).size, 0);
        const log = await ledger.changes(tenant, 0, 10);
        deepEqual(
          log.map(({ kind, version }) => [kind, version]),
          [
            [resourcePurged, 1],
            ["noteWritten", 1],
            [resourcePurged, 2],
            ["memoryWritten", 1],
            [resourcePurged, 3],
          ],
        );
        for (const index of [0, 2, 4]) {
          const { payload, author, reason } = log[index] ?? {};
          deepEqual([payload, author, reason], [undefined, undefined, undefined]);
        }
        const entries = { family, ref: refNumber(1), order: "oldestFirst", limit: 10 } as const;
        deepEqual(await ledger.resources.entries(tenant, entries), []);
        await expectRefusal(() => context.commit([note(1)]), "MEMORY_ERASED");
        await expectRefusal(() => context.commit([note(1, 4)]), "MEMORY_ERASED");
        deepEqual(refsIn(await ledger.purged(tenant, { limit: 10 })), [refNumber(1)]);
        deepEqual(refsIn(await ledger.resources.list(tenant, { family, scopes: [alice], limit: 9 })), [refNumber(2)]);
      },
    },
    {
      method: "purge",
      name: "by scopes and of everything finds resources, tombstones and answers, and leaves others as they were",
      run: async (context) => {
        const { ledger, tenant } = context;
        const idempotency = { method: "note", requestId: "r", bodyHash: "b" };
        await context.commit([note(1), note(2)], { idempotency });
        await context.commit([noteRemoved(2, 2), note(3, 1, { scope: bob }), note(4, 1, { scope: globalScope })]);
        await context.remember(sampleMemory(5));
        const purged = await ledger.purge(tenant, { scopes: [alice] });
        deepEqual([purged.memories, purged.resources], [1, 2]);
        const left = (await ledger.resources.get(tenant, family, [1, 2, 3, 4].map(refNumber))).keys();
        deepEqual([...left].toSorted(), [3, 4].map(refNumber));
        // The scopes of what is left keep their names.
        deepEqual(refsIn(await ledger.resources.list(tenant, { family, scopes: [bob], limit: 9 })), [refNumber(3)]);
        await expectRefusal(() => context.commit([note(1), note(2)], { idempotency }), "MEMORY_ERASED");
        const other = `${tenant} other` as TenantId;
        await ledger.commit({ ...authorOf(other), expect: [], changes: [note(3)] });
        deepEqual((await ledger.purge(tenant, { everything: true })).resources, 2);
        equal((await ledger.resources.get(tenant, family, [3, 4].map(refNumber))).size, 0);
        equal((await ledger.resources.get(other, family, [refNumber(3)])).size, 1);
      },
    },
  ],
};
