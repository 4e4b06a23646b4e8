import { deepEqual, equal } from "node:assert/strict";
import { globalScope, type MemoryRecord, memoryStates, type Scope, type TenantId } from "@loci/domain";
import type { ListQuery } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, authorOf, refsOf } from "./ledger-context.ts";
import { beginning, contentHashOf, refNumber, removed, sampleMemory, written } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };
const everything: ListQuery = { scopes: [alice, bob, globalScope], evaluationTime: beginning, limit: 1000 };

/** Memories by id, by version, by scope and time, by tag. */
export const readCases: LedgerCaseFile = {
  covers: ["byTags", "list", "memories", "recordShown", "recordUsage", "shownCounts", "tags", "versions"],
  cases: [
    {
      method: "memories",
      name: "gives current versions, tombstones included, and passes over what does not exist",
      run: async (context) => {
        await context.remember(sampleMemory(1), sampleMemory(2), sampleMemory(3));
        context.clock.now += 10;
        await context.commit([
          written(sampleMemory(1, { version: 2, text: "new" })),
          removed(refNumber(2), 2, beginning + 9),
        ]);
        const refs = [refNumber(3), refNumber(2), refNumber(1), refNumber(99), refNumber(1)];
        const found = await context.ledger.memories(context.tenant, refs);
        const at = { recordedAt: beginning + 10, usage: { accessCount: 0 } };
        const tombstone: MemoryRecord = { ...sampleMemory(2), version: 2, state: "deleted", updatedAt: beginning + 9 };
        deepEqual(
          new Map(found),
          new Map([
            [
              refNumber(3),
              {
                ...at,
                memory: sampleMemory(3),
                recordedAt: beginning,
                sequence: 3,
                contentHash: contentHashOf("memory 3"),
              },
            ],
            [refNumber(2), { ...at, memory: tombstone, sequence: 5, contentHash: contentHashOf("memory 2") }],
            [
              refNumber(1),
              {
                ...at,
                memory: sampleMemory(1, { version: 2, text: "new" }),
                sequence: 4,
                contentHash: contentHashOf("new"),
              },
            ],
          ]),
        );
        equal((await context.ledger.memories(context.tenant, [])).size, 0);
      },
    },
    {
      method: "memories",
      name: "is cancelled by its signal and ended by its deadline",
      run: async ({ ledger, tenant }) => {
        const refs = [refNumber(1)];
        await expectRefusal(() => ledger.memories(tenant, refs, { signal: AbortSignal.abort() }), "CANCELLED");
        await expectRefusal(() => ledger.memories(tenant, refs, { deadline: 1 }), "DEADLINE_EXCEEDED");
      },
    },
    {
      method: "versions",
      name: "gives every version oldest first, through removal and restoring",
      run: async (context) => {
        const { ledger, tenant } = context;
        deepEqual(await ledger.versions(tenant, refNumber(1)), []);
        const second = sampleMemory(1, { version: 2, text: "second", scope: bob });
        const restored = sampleMemory(1, { version: 4, text: "second" });
        await context.remember(sampleMemory(1), sampleMemory(2));
        await context.commit([written(second)]);
        await context.commit([removed(refNumber(1), 3, beginning + 3)]);
        await context.commit([written(restored)]);
        await ledger.recordUsage(tenant, [{ ref: refNumber(1), at: beginning }]);
        const versions = await ledger.versions(tenant, refNumber(1));
        const usage = { accessCount: 1, lastAccessedAt: beginning };
        deepEqual(
          versions,
          [
            [sampleMemory(1), 1],
            [second, 3],
            [{ ...second, version: 3, state: "deleted", updatedAt: beginning + 3 }, 4],
            [restored, 5],
          ].map(([memory, sequence]) => ({
            memory,
            sequence,
            recordedAt: beginning,
            contentHash: contentHashOf((memory as MemoryRecord).text),
            usage,
          })),
        );
      },
    },
    {
      method: "list",
      name: "gives active memories of the scopes, newest creation first, then by ref",
      run: async (context) => {
        await context.remember(
          sampleMemory(1),
          sampleMemory(2, { createdAt: beginning + 50 }),
          sampleMemory(3, { createdAt: beginning + 50, scope: bob }),
          sampleMemory(4, { createdAt: -5, scope: globalScope }),
          sampleMemory(5, { scope: { kind: "project", id: "alice" } }),
          sampleMemory(6, { state: "quarantined" }),
          sampleMemory(7),
        );
        await context.commit([removed(refNumber(7), 2)]);
        const { ledger, tenant } = context;
        deepEqual(refsOf(await ledger.list(tenant, everything)), [2, 3, 1, 4].map(refNumber));
        deepEqual(refsOf(await ledger.list(tenant, { ...everything, scopes: [alice] })), [2, 1].map(refNumber));
        deepEqual(refsOf(await ledger.list(tenant, { ...everything, scopes: [alice, alice] })), [2, 1].map(refNumber));
        const nobody: Scope = { kind: "user", id: "nobody" };
        deepEqual(await ledger.list(tenant, { ...everything, scopes: [nobody] }), []);
        deepEqual(await ledger.list(tenant, { ...everything, limit: 0 }), []);
      },
    },
    {
      method: "list",
      name: "follows a memory that moves to another scope, category, time or state",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1), sampleMemory(2));
        const moved = { version: 2, scope: bob, category: "decision", createdAt: beginning + 99 };
        await context.remember(sampleMemory(1, moved));
        deepEqual(refsOf(await ledger.list(tenant, { ...everything, scopes: [alice] })), [refNumber(2)]);
        deepEqual(refsOf(await ledger.list(tenant, { ...everything, categories: ["decision"] })), [refNumber(1)]);
        deepEqual(refsOf(await ledger.list(tenant, everything)), [1, 2].map(refNumber));
        await context.remember(sampleMemory(1, { ...moved, version: 3, state: "quarantined" }));
        deepEqual(refsOf(await ledger.list(tenant, everything)), [refNumber(2)]);
        await context.remember(sampleMemory(1, { ...moved, version: 4 }));
        deepEqual(refsOf(await ledger.list(tenant, everything)), [1, 2].map(refNumber));
      },
    },
    {
      method: "list",
      name: "leaves out what has expired by the evaluation time, and other categories",
      run: async (context) => {
        await context.remember(
          sampleMemory(1, { expiresAt: beginning + 10 }),
          sampleMemory(2, { category: "decision" }),
          sampleMemory(3, { category: "note", expiresAt: beginning + 11 }),
        );
        const list = async (query: Partial<ListQuery>): Promise<unknown> =>
          refsOf(await context.ledger.list(context.tenant, { ...everything, ...query }));
        deepEqual(await list({ evaluationTime: beginning + 9 }), [3, 2, 1].map(refNumber));
        deepEqual(await list({ evaluationTime: beginning + 10 }), [3, 2].map(refNumber));
        deepEqual(await list({ evaluationTime: beginning + 11 }), [refNumber(2)]);
        deepEqual(await list({ categories: ["note", "fact"] }), [3, 1].map(refNumber));
        deepEqual(await list({ categories: [] }), []);
        deepEqual(await list({ categories: ["fac"] }), []);
      },
    },
    {
      method: "list",
      name: "pages through many memories, also those of one instant, without loss or repetition",
      run: async (context) => {
        const { ledger, tenant } = context;
        const memories = Array.from({ length: 900 }, (_, index) =>
          sampleMemory(index + 1, {
            createdAt: beginning + (index % 3),
            scope: index % 2 === 0 ? alice : bob,
            category: index % 50 === 0 ? "rare" : "fact",
          }),
        );
        await context.remember(...memories);
        const ordered = memories.toSorted(
          (left, right) => right.createdAt - left.createdAt || (left.id < right.id ? -1 : 1),
        );
        for (const { limit, categories } of [{ limit: 70 }, { limit: 300 }, { limit: 7, categories: ["rare"] }]) {
          const expected = ordered.filter(({ category }) => categories === undefined || categories.includes(category));
          const found: MemoryRecord[] = [];
          for (;;) {
            const last = found.at(-1);
            const after = last && { createdAt: last.createdAt, ref: last.id };
            const page = await ledger.list(tenant, { ...everything, limit, categories, after });
            found.push(...page.map(({ memory }) => memory));
            if (page.length < limit) break;
          }
          deepEqual(found, expected);
        }
      },
    },
    {
      method: "list",
      name: "gives what is in the states asked for, and tombstones of what was never approved only when told to",
      run: async (context) => {
        await context.remember(
          sampleMemory(1),
          sampleMemory(2, { state: "quarantined", createdAt: beginning + 9 }),
          sampleMemory(3, { createdAt: beginning + 9, category: "decision" }),
          sampleMemory(4, { state: "quarantined", createdAt: beginning + 3 }),
          sampleMemory(5, { scope: bob, expiresAt: beginning + 1 }),
        );
        await context.commit([removed(refNumber(3), 2), removed(refNumber(4), 2), removed(refNumber(5), 2)]);
        const list = async (query: Partial<ListQuery>): Promise<unknown> =>
          refsOf(await context.ledger.list(context.tenant, { ...everything, ...query }));
        deepEqual(await list({ states: ["active"] }), [refNumber(1)]);
        deepEqual(await list({ states: ["quarantined"] }), [refNumber(2)]);
        deepEqual(await list({ states: ["deleted"] }), [3, 5].map(refNumber));
        deepEqual(await list({ states: ["deleted"], withUnapproved: true }), [3, 5, 4].map(refNumber));
        deepEqual(await list({ states: memoryStates, withUnapproved: true }), [2, 3, 5, 4, 1].map(refNumber));
        deepEqual(await list({ states: ["active", "deleted"], limit: 2 }), [3, 5].map(refNumber));
        const after = { createdAt: beginning + 9, ref: refNumber(2) };
        deepEqual(await list({ states: memoryStates, after }), [3, 5, 1].map(refNumber));
        deepEqual(await list({ states: ["deleted"], scopes: [bob] }), [refNumber(5)]);
        deepEqual(await list({ states: ["deleted"], evaluationTime: beginning + 1 }), [refNumber(3)]);
        deepEqual(await list({ states: ["deleted"], categories: ["decision"] }), [refNumber(3)]);
        const [tombstone] = await context.ledger.list(context.tenant, { ...everything, states: ["deleted"] });
        deepEqual(tombstone, (await context.ledger.versions(context.tenant, refNumber(3))).at(-1));
        // Brought back and forgotten again, it counts as what it was the last time.
        await context.remember(sampleMemory(4, { version: 3, createdAt: beginning + 3 }));
        await context.commit([removed(refNumber(4), 4)]);
        deepEqual(await list({ states: ["deleted"] }), [3, 5, 4].map(refNumber));
      },
    },
    {
      method: "list",
      name: "gives what was true at a time, and of what was replaced only what says until when",
      run: async (context) => {
        const by = { supersededBy: refNumber(99) };
        const fields: readonly Partial<MemoryRecord>[] = [
          {},
          { validFrom: beginning },
          { validTo: beginning },
          { validFrom: beginning - 5, validTo: beginning, ...by },
          by,
          { state: "quarantined", validFrom: beginning },
        ];
        await context.remember(
          ...fields.map((own, index) => sampleMemory(index + 1, { createdAt: beginning, ...own })),
        );
        const list = async (validAt: number | undefined, query: Partial<ListQuery> = {}): Promise<unknown> =>
          refsOf(await context.ledger.list(context.tenant, { ...everything, ...query, validAt }));
        deepEqual(await list(undefined), [1, 2, 3, 4, 5].map(refNumber));
        deepEqual(await list(beginning), [1, 2].map(refNumber));
        deepEqual(await list(beginning - 1), [1, 3, 4].map(refNumber));
        deepEqual(await list(beginning - 5), [1, 3, 4].map(refNumber));
        deepEqual(await list(beginning - 6), [1, 3].map(refNumber));
        deepEqual(await list(-beginning), [1, 3].map(refNumber));
        deepEqual(await list(beginning, { states: ["active", "quarantined"] }), [1, 2, 6].map(refNumber));
        deepEqual(await list(beginning - 1, { states: ["quarantined"] }), []);
        deepEqual(await list(beginning, { limit: 1, after: { createdAt: beginning, ref: refNumber(1) } }), [
          refNumber(2),
        ]);
      },
    },
    {
      method: "list",
      name: "fills pages of what was true, however much else lies between",
      run: async (context) => {
        const { ledger, tenant } = context;
        const memories = Array.from({ length: 900 }, (_, index) =>
          sampleMemory(index + 1, {
            createdAt: beginning + (index % 3),
            ...(index % 90 === 0 ? {} : { validTo: beginning }),
          }),
        );
        await context.remember(...memories);
        const found: MemoryRecord[] = [];
        for (const length of [4, 4, 2]) {
          const last = found.at(-1);
          const after = last && { createdAt: last.createdAt, ref: last.id };
          const page = await ledger.list(tenant, { ...everything, limit: 4, validAt: beginning, after });
          equal(page.length, length);
          found.push(...page.map(({ memory }) => memory));
        }
        deepEqual(
          new Set(found.map(({ id }) => id)),
          new Set(memories.filter((_, index) => index % 90 === 0).map(({ id }) => id)),
        );
      },
    },
    {
      method: "byTags",
      name: "gives active memories with one of the tags, compared in lower case, newest first",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(
          sampleMemory(1, { tags: ["Deploy", "ops"], category: "procedure" }),
          sampleMemory(2, { tags: ["deployment"] }),
          sampleMemory(3, { tags: ["OPS", "deploy", "DEPLOY"], scope: bob }),
          sampleMemory(4, { tags: ["ÄRGER", "a%", "a_c"], scope: globalScope }),
          sampleMemory(5, { tags: ["ops"], state: "quarantined" }),
          sampleMemory(6, { tags: ["ops"] }),
          sampleMemory(7, { tags: ["ops"], scope: { kind: "project", id: "x" } }),
          sampleMemory(8, { tags: ["ops"], expiresAt: beginning }),
        );
        await context.commit([removed(refNumber(6), 2)]);
        const found = async (tags: readonly [string, ...string[]], query: Partial<ListQuery> = {}): Promise<unknown> =>
          refsOf(await ledger.byTags(tenant, { ...everything, ...query, tags }));
        deepEqual(await found(["DEPLOY"]), [3, 1].map(refNumber));
        deepEqual(await found(["deploy", "Ops", "ärger"]), [4, 3, 1].map(refNumber));
        deepEqual(await found(["ops"], { categories: ["procedure"] }), [refNumber(1)]);
        deepEqual(await found(["ops"], { limit: 1 }), [refNumber(3)]);
        const after = { createdAt: beginning + 3, ref: refNumber(3) };
        deepEqual(await found(["ops"], { after }), [refNumber(1)]);
        for (const tag of ["deplo", "a", "abc", "%", "x' OR 1=1 --"]) deepEqual(await found([tag]), [], tag);
        deepEqual(await found(["A%"]), [refNumber(4)]);
      },
    },
    {
      method: "byTags",
      name: "follows edits, removal and restoring",
      run: async (context) => {
        const found = async (tag: string): Promise<unknown> =>
          refsOf(await context.ledger.byTags(context.tenant, { ...everything, tags: [tag] }));
        await context.remember(sampleMemory(1, { tags: ["a", "b"] }));
        await context.remember(sampleMemory(1, { tags: ["B", "c"], version: 2, scope: bob }));
        deepEqual([await found("a"), await found("b"), await found("c")], [[], [refNumber(1)], [refNumber(1)]]);
        await context.commit([removed(refNumber(1), 3)]);
        deepEqual([await found("b"), await found("c")], [[], []]);
        await context.remember(sampleMemory(1, { tags: ["b"], version: 4 }));
        deepEqual([await found("b"), await found("c")], [[refNumber(1)], []]);
      },
    },
    {
      method: "tags",
      name: "gives each tag of the category's active memories once, in lower case",
      run: async (context) => {
        const { ledger, tenant } = context;
        const found = async (category: string, ...scopes: readonly [Scope, ...Scope[]]): Promise<readonly string[]> =>
          (await ledger.tags(tenant, { scopes, category })).toSorted();
        const category = "procedure";
        await context.remember(
          sampleMemory(1, { category, tags: ["Deploy", "deploy", "ÄRGER"] }),
          sampleMemory(2, { category, tags: ["deploy", "ops"], scope: bob }),
          sampleMemory(3, { tags: ["of-a-fact"] }),
          sampleMemory(4, { category, tags: ["waiting"], state: "quarantined" }),
          sampleMemory(5, { category, tags: ["gone", "deploy"] }),
          sampleMemory(6, { category: "procedures", tags: ["longer-name"] }),
        );
        await context.commit([removed(refNumber(5), 2)]);
        deepEqual(await found(category, alice), ["deploy", "ärger"]);
        deepEqual(await found(category, alice, bob, alice), ["deploy", "ops", "ärger"]);
        deepEqual(await found("fact", alice), ["of-a-fact"]);
        deepEqual(await found("proc", alice), []);
        deepEqual(await found(category, globalScope), []);
        // An edit may change the category and nothing else.
        await context.remember(sampleMemory(3, { tags: ["of-a-fact"], category, version: 2 }));
        deepEqual([await found("fact", alice), await found(category, alice)], [[], ["deploy", "of-a-fact", "ärger"]]);
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(() => ledger.tags(tenant, { scopes: [alice], category }, gone), "CANCELLED");
      },
    },
    {
      method: "tags",
      name: "leaves out none of very many",
      run: async (context) => {
        const { ledger, tenant } = context;
        const memories = Array.from({ length: 600 }, (_, index) =>
          sampleMemory(index + 1, { tags: [`tag-${index}`, "common"], category: "procedure" }),
        );
        await context.remember(...memories);
        const found = await ledger.tags(tenant, { scopes: [alice], category: "procedure" });
        deepEqual(new Set(found), new Set(memories.flatMap(({ tags }) => tags)));
        equal(found.length, 601);
      },
    },
    {
      method: "recordUsage",
      name: "adds to the counters without a version or a change, and keeps the latest time",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1), sampleMemory(2));
        await ledger.recordUsage(tenant, []);
        await ledger.recordUsage(tenant, [
          { ref: refNumber(1), at: beginning + 5 },
          { ref: refNumber(99), at: beginning },
          { ref: refNumber(1), at: beginning + 3 },
        ]);
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            ledger.recordUsage(tenant, [{ ref: refNumber(2), at: beginning - index }]),
          ),
        );
        deepEqual((await context.memory(refNumber(1))).usage, { accessCount: 2, lastAccessedAt: beginning + 5 });
        deepEqual((await context.memory(refNumber(2))).usage, { accessCount: 10, lastAccessedAt: beginning });
        equal(await ledger.head(tenant), 2);
        equal((await ledger.memories(tenant, [refNumber(99)])).size, 0);
        await context.remember(sampleMemory(1, { version: 2 }));
        equal((await context.memory(refNumber(1))).usage.accessCount, 2);
      },
    },
    {
      method: "recordShown",
      name: "counts how often memories were shown, for each tenant by itself, and makes no use of it",
      run: async (context) => {
        const { ledger, tenant } = context;
        const other = `${tenant}'` as TenantId;
        const refs = [1, 2, 3, 99].map(refNumber);
        await context.remember(sampleMemory(1), sampleMemory(2), sampleMemory(3));
        await context.commit([written(sampleMemory(1))], { ...authorOf(other) });
        await ledger.recordShown(tenant, []);
        await ledger.recordShown(tenant, [1, 2, 1, 99].map(refNumber));
        await Promise.all(Array.from({ length: 10 }, () => ledger.recordShown(tenant, [refNumber(2)])));
        deepEqual(
          new Map(await ledger.shownCounts(tenant, refs)),
          new Map([
            [refNumber(1), 2],
            [refNumber(2), 11],
          ]),
        );
        equal((await ledger.shownCounts(other, refs)).size, 0);
        equal((await context.memory(refNumber(1))).usage.accessCount, 0);
        equal(await ledger.head(tenant), 3);
      },
    },
    {
      method: "shownCounts",
      name: "gives those that were asked for, and stays when a memory is edited or forgotten",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1), sampleMemory(2));
        await ledger.recordShown(tenant, [1, 2].map(refNumber));
        await context.remember(sampleMemory(1, { version: 2 }));
        await context.commit([removed(refNumber(1), 3)]);
        deepEqual([...(await ledger.shownCounts(tenant, [refNumber(1)]))], [[refNumber(1), 1]]);
        deepEqual([...(await ledger.shownCounts(tenant, []))], []);
      },
    },
  ],
};
