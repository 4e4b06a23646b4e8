import { deepEqual } from "node:assert/strict";
import { globalScope, type Scope } from "@loci/domain";
import type { StandingQuery } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, refsOf } from "./ledger-context.ts";
import { beginning, refNumber, removed, sampleMemory, written } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const query: StandingQuery = { scopes: [globalScope, alice], evaluationTime: beginning, limit: 10 };
const preference = { category: "preference" } as const;

/** What stands in every context of a scope. */
export const standingCases: LedgerCaseFile = {
  covers: ["standing"],
  cases: [
    {
      method: "standing",
      name: "gives preferences, static facts and entities and what is pinned: pinned first, by importance, by ref",
      run: async (context) => {
        await context.remember(
          sampleMemory(1, preference),
          sampleMemory(2, { ...preference, importance: 0.9 }),
          sampleMemory(3, { isStatic: true, importance: 0.9 }),
          sampleMemory(4, { category: "entity", isStatic: true, importance: 0 }),
          sampleMemory(5, { category: "note", isPinned: true, importance: 0.1 }),
          sampleMemory(6, { category: "procedure", isPinned: true, importance: 0.2 }),
          sampleMemory(7, { ...preference, scope: globalScope, importance: 0.1 }),
          // None of these.
          sampleMemory(8),
          sampleMemory(9, { category: "note", isStatic: true }),
          sampleMemory(10, { category: "entity" }),
          sampleMemory(11, { ...preference, state: "quarantined" }),
          sampleMemory(12, { ...preference, expiresAt: beginning }),
          sampleMemory(13, { ...preference, scope: { kind: "user", id: "bob" } }),
        );
        const { ledger, tenant } = context;
        deepEqual(refsOf(await ledger.standing(tenant, query)), [7, 6, 5, 2, 3, 1, 4].map(refNumber));
        deepEqual(refsOf(await ledger.standing(tenant, { ...query, scopes: [alice, alice], limit: 2 })), [
          refNumber(6),
          refNumber(5),
        ]);
        const nobody: Scope = { kind: "user", id: "nobody" };
        deepEqual(await ledger.standing(tenant, { ...query, scopes: [nobody] }), []);
      },
    },
    {
      method: "standing",
      name: "follows edits, removals and restoring",
      run: async (context) => {
        await context.remember(sampleMemory(1, preference), sampleMemory(2), sampleMemory(3, preference));
        const { ledger, tenant } = context;
        await context.commit([written(sampleMemory(1, { version: 2, category: "note" }))]);
        await context.commit([written(sampleMemory(2, { version: 2, isPinned: true }))]);
        await context.commit([removed(refNumber(3), 2)]);
        deepEqual(refsOf(await ledger.standing(tenant, query)), [refNumber(2)]);
        const edited = sampleMemory(3, { ...preference, version: 3, importance: 1 });
        await context.commit([written(edited), written(sampleMemory(2, { version: 3 }))]);
        const [only, ...others] = await ledger.standing(tenant, query);
        deepEqual([only?.memory, others], [edited, []]);
      },
    },
    {
      method: "standing",
      name: "is cancelled by its signal",
      run: async ({ ledger, tenant }) => {
        await expectRefusal(() => ledger.standing(tenant, query, { signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
  ],
};
