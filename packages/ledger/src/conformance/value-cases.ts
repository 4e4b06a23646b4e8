import { deepEqual, equal } from "node:assert/strict";
import type { Ref, Scope } from "@loci/domain";
import type { Change, TextExpectation } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, refsOf } from "./ledger-context.ts";
import { refNumber, removed, sampleMemory, written } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };

/** Memories by what they are the value of, and by what they say. */
export const valueCases: LedgerCaseFile = {
  covers: ["bySlots", "byTexts", "commit"],
  cases: [
    {
      method: "bySlots",
      name: "gives the active memories of the scopes with the slots, of each those with the largest refs",
      run: async (context) => {
        const { ledger, tenant } = context;
        const theme = { slot: "theme" };
        await context.remember(
          sampleMemory(1, theme),
          sampleMemory(2, theme),
          sampleMemory(3, { ...theme, scope: bob }),
          sampleMemory(4, { slot: "Theme" }),
          sampleMemory(5, { ...theme, state: "quarantined" }),
          sampleMemory(6, theme),
          sampleMemory(7),
          sampleMemory(8, theme),
          sampleMemory(9, { slot: 'it\'s "day" %' }),
        );
        await context.commit([removed(refNumber(6), 2)]);
        await context.remember(sampleMemory(8, { slot: "other", version: 2 }));
        const found = async (scopes: readonly [Scope, ...Scope[]], limitOfEach: number, ...slots: string[]) =>
          refsOf(await ledger.bySlots(tenant, { scopes, slots, limitOfEach })).toSorted();
        deepEqual(await found([alice], 9, "theme"), [1, 2].map(refNumber));
        deepEqual(await found([alice], 1, "theme"), [refNumber(2)]);
        deepEqual(await found([alice, bob], 1, "theme", "other", "theme"), [2, 3, 8].map(refNumber));
        deepEqual(await found([alice], 9, 'it\'s "day" %', "none"), [refNumber(9)]);
        deepEqual(await found([alice], 9), []);
        const query = { scopes: [alice] as const, slots: [], limitOfEach: 1 };
        await expectRefusal(() => ledger.bySlots(tenant, query, { signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      method: "byTexts",
      name: "gives the active memories of the scope that say the same, however they are composed",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(
          sampleMemory(1, { text: "caf\u00e9" }),
          sampleMemory(2, { text: " cafe\u0301\n" }),
          sampleMemory(3, { text: "caf\u00e9", scope: bob }),
          sampleMemory(4, { text: "Caf\u00e9" }),
          sampleMemory(5, { text: "caf\u00e9", state: "quarantined" }),
          sampleMemory(6, { text: "caf\u00e9" }),
          sampleMemory(7, { text: "caf\u00e9" }),
        );
        await context.commit([removed(refNumber(6), 2)]);
        await context.remember(sampleMemory(7, { text: "tea", version: 2 }));
        const found = async (limitOfEach: number, ...texts: string[]) =>
          refsOf(await ledger.byTexts(tenant, { scope: alice, texts, limitOfEach })).toSorted();
        deepEqual(await found(9, "cafe\u0301"), [1, 2].map(refNumber));
        deepEqual(await found(1, "caf\u00e9 "), [refNumber(2)]);
        deepEqual(await found(9, "tea", "coffee", "tea"), [refNumber(7)]);
        deepEqual(await found(9), []);
      },
    },
    {
      method: "commit",
      name: "refuses a text that somebody else has stored meanwhile, and of several at once takes one",
      run: async (context) => {
        const { ledger, tenant } = context;
        const expecting = (change: Change, text: string, ...known: readonly Ref[]) => {
          const expectTexts: TextExpectation[] = [{ scope: alice, text, known }];
          return context.commit([change], { expectTexts });
        };
        const tea = (number: number): Change => written(sampleMemory(number, { text: "tea" }));
        await context.remember(sampleMemory(1, { text: "tea", scope: bob }));
        const outcomes = await Promise.allSettled([2, 3, 4, 5].map((number) => expecting(tea(number), " tea")));
        equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
        const [first] = await ledger.byTexts(tenant, { scope: alice, texts: ["tea"], limitOfEach: 9 });
        const known = first?.memory.id as Ref;
        await expectRefusal(() => expecting(tea(6), "tea"), "VERSION_CONFLICT");
        await expecting(tea(6), "tea", known);
        await expectRefusal(() => expecting(tea(7), "tea", known), "VERSION_CONFLICT");
        // What is forgotten, or says something else now, is no memory with the text.
        await context.commit([removed(known, 2), written(sampleMemory(6, { text: "coffee", version: 2 }))]);
        await expecting(tea(7), "tea");
      },
    },
  ],
};
