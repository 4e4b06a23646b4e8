import { deepEqual, equal } from "node:assert/strict";
import { globalScope, type Instant, type MemoryRecord, type Scope } from "@loci/domain";
import { expectRefusal, type LedgerCaseFile, type LedgerContext, refsOf } from "./ledger-context.ts";
import { beginning, contentHashOf, dayMilliseconds, refNumber, removed, sampleMemory } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };

/** The texts of what was known, in the order of the log. */
async function knownTexts(
  { ledger, tenant }: LedgerContext,
  knownAt: Instant,
  scopes: readonly [Scope, ...Scope[]] = [alice],
): Promise<readonly string[]> {
  const found = await ledger.asKnownAt(tenant, { scopes, knownAt, limit: 1000 });
  return found.map(({ memory }) => memory.text);
}

/** What was known at a recorded time. */
export const knownAtCases: LedgerCaseFile = {
  covers: ["asKnownAt"],
  cases: [
    {
      method: "asKnownAt",
      name: "gives of each memory the version that stood then, by the ledger's clock",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        // The caller's own times say nothing about when something was recorded.
        await context.remember(sampleMemory(1, { text: "first", createdAt: beginning + 5 * dayMilliseconds }));
        clock.now += 10;
        await context.remember(sampleMemory(2, { text: "other", createdAt: 0 }));
        clock.now += 10;
        await context.remember(sampleMemory(1, { text: "second", version: 2 }));
        await context.remember(sampleMemory(1, { text: "third", version: 3 }));
        clock.now += 10;
        await context.commit([removed(refNumber(2), 2)]);
        deepEqual(await knownTexts(context, beginning - 1), []);
        deepEqual(await knownTexts(context, beginning), ["first"]);
        deepEqual(await knownTexts(context, beginning + 9), ["first"]);
        deepEqual(await knownTexts(context, beginning + 10), ["first", "other"]);
        deepEqual(await knownTexts(context, beginning + 20), ["other", "third"]);
        deepEqual(await knownTexts(context, beginning + 29), ["other", "third"]);
        deepEqual(await knownTexts(context, beginning + 30), ["third"]);
        deepEqual(await knownTexts(context, 8.64e15), ["third"]);
        deepEqual(await knownTexts(context, -8.64e15), []);
        await ledger.recordUsage(tenant, [{ ref: refNumber(1), at: beginning }]);
        deepEqual(await ledger.asKnownAt(tenant, { scopes: [alice], knownAt: beginning, limit: 1 }), [
          {
            memory: sampleMemory(1, { text: "first", createdAt: beginning + 5 * dayMilliseconds }),
            recordedAt: beginning,
            sequence: 1,
            contentHash: contentHashOf("first"),
            usage: { accessCount: 1, lastAccessedAt: beginning },
          },
        ]);
      },
    },
    {
      method: "asKnownAt",
      name: "knows what was deleted, restored, quarantined and approved since, as it was then",
      run: async (context) => {
        const { clock } = context;
        const steps: readonly Partial<MemoryRecord>[] = [
          { text: "claimed", state: "quarantined" },
          { text: "claimed", state: "active" },
          { text: "doubted", state: "quarantined" },
        ];
        for (const [index, changes] of steps.entries()) {
          await context.remember(sampleMemory(1, { ...changes, version: index + 1 }));
          clock.now++;
        }
        await context.commit([removed(refNumber(1), 4)]);
        clock.now++;
        await context.remember(sampleMemory(1, { text: "restored", version: 5 }));
        const known = await Promise.all([0, 1, 2, 3, 4].map((offset) => knownTexts(context, beginning + offset)));
        deepEqual(known, [[], ["claimed"], [], [], ["restored"]]);
      },
    },
    {
      method: "asKnownAt",
      name: "goes by the scope that a memory had then",
      run: async (context) => {
        const { clock, ledger, tenant } = context;
        await context.remember(
          sampleMemory(1),
          sampleMemory(2, { scope: bob }),
          sampleMemory(3, { scope: globalScope }),
        );
        clock.now++;
        await context.remember(sampleMemory(1, { version: 2, scope: bob, text: "moved" }));
        deepEqual(await knownTexts(context, beginning), ["memory 1"]);
        deepEqual(await knownTexts(context, beginning + 1), []);
        deepEqual(await knownTexts(context, beginning, [bob]), ["memory 2"]);
        deepEqual(await knownTexts(context, beginning + 1, [bob]), ["memory 2", "moved"]);
        deepEqual(await knownTexts(context, beginning, [globalScope, bob, alice, bob]), [
          "memory 1",
          "memory 2",
          "memory 3",
        ]);
        deepEqual(await knownTexts(context, beginning, [{ kind: "project", id: "alice" }]), []);
        const gone = { signal: AbortSignal.abort() };
        const query = { scopes: [alice], knownAt: beginning, limit: 10 } as const;
        await expectRefusal(() => ledger.asKnownAt(tenant, query, gone), "CANCELLED");
      },
    },
    {
      method: "asKnownAt",
      name: "gives up to the limit, counts only what stood then, and refuses to give a part",
      run: async (context) => {
        const { clock, ledger, tenant } = context;
        const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
        await context.remember(...numbers.map((number) => sampleMemory(number)));
        clock.now++;
        // Versions that ended or began later do not count.
        await context.remember(...numbers.map((number) => sampleMemory(number, { version: 2 })));
        await context.remember(...numbers.map((number) => sampleMemory(1000 + number)));
        await context.remember(...numbers.map((number) => sampleMemory(2000 + number, { scope: bob })));
        const query = { scopes: [alice], knownAt: beginning, limit: 300 } as const;
        deepEqual(refsOf(await ledger.asKnownAt(tenant, query)), numbers.map(refNumber));
        const error = await expectRefusal(
          () => ledger.asKnownAt(tenant, { ...query, limit: 299 }),
          "TOO_MANY_VERSIONS",
        );
        equal(error.field, "knownAt");
        equal(error.details?.["limit"], "299");
        const later = { ...query, knownAt: beginning + 1 };
        equal((await ledger.asKnownAt(tenant, { ...later, limit: 600 })).length, 600);
        await expectRefusal(() => ledger.asKnownAt(tenant, later), "TOO_MANY_VERSIONS");
      },
    },
    {
      method: "asKnownAt",
      name: "goes by the order of the log when the clock is set back",
      run: async (context) => {
        const { clock } = context;
        await context.remember(sampleMemory(1));
        clock.now -= dayMilliseconds;
        await context.remember(sampleMemory(2));
        clock.now += 2 * dayMilliseconds;
        await context.remember(sampleMemory(3));
        deepEqual(await knownTexts(context, beginning - 1), []);
        deepEqual(await knownTexts(context, beginning), ["memory 1", "memory 2"]);
        deepEqual(await knownTexts(context, beginning + dayMilliseconds), ["memory 1", "memory 2", "memory 3"]);
      },
    },
  ],
};
