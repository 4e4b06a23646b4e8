import { deepEqual } from "node:assert/strict";
import type { Provenance, Scope } from "@loci/domain";
import { expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import { refNumber, removed, sampleMemory } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };

function at(position: number | undefined, source = "conversation:1"): { readonly provenance: Provenance } {
  return { provenance: { sourceId: source, kind: "conversation", position } };
}

/** Of ledgers that have `neighbours`. */
export const neighbourCases: LedgerCaseFile = {
  covers: ["neighbours"],
  cases: [
    {
      method: "neighbours",
      name: "gives the active memories beside the given ones",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(
          sampleMemory(1, at(0)),
          sampleMemory(2, at(1)),
          sampleMemory(3, { ...at(2), scope: bob }),
          sampleMemory(4, at(2, "conversation:10")),
          sampleMemory(5, { ...at(2), state: "quarantined" }),
          sampleMemory(6, at(2)),
          sampleMemory(7, at(undefined)),
          sampleMemory(8),
          sampleMemory(9, at(3)),
          sampleMemory(10, at(1)),
        );
        await context.commit([removed(refNumber(10), 2)]);
        const found = async (scopes: readonly [Scope, ...Scope[]], ...numbers: readonly number[]) => {
          const given = numbers.map(refNumber);
          const memories = (await ledger.neighbours?.(tenant, scopes, given)) ?? [];
          return memories
            .map(({ memory }) => memory.id)
            .filter((id) => !given.includes(id))
            .toSorted();
        };
        deepEqual(await found([alice], 2), [1, 6].map(refNumber));
        deepEqual(await found([alice, bob], 2), [1, 3, 6].map(refNumber));
        // A turn of another scope leads to those beside it in the scopes that are asked for.
        deepEqual(await found([alice], 3), [2, 9].map(refNumber));
        deepEqual(await found([alice], 2, 6), [1, 9].map(refNumber));
        deepEqual(await found([alice], 7, 8), []);
        deepEqual(await found([alice]), []);
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(async () => ledger.neighbours?.(tenant, [alice], [], gone), "CANCELLED");
      },
    },
  ],
};
