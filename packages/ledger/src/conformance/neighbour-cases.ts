import { deepEqual } from "node:assert/strict";
import type { Provenance, Scope } from "@loci/domain";
import { valuesOfSlot } from "../ledger-memories.ts";
import { expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import { refNumber, removed, sampleMemory } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };

function at(position: number | undefined, source = "conversation:1"): { readonly provenance: Provenance } {
  return { provenance: { sourceId: source, kind: "conversation", position } };
}

/** Of ledgers that have `withNeighbours`. */
export const neighbourCases: LedgerCaseFile = {
  covers: ["withNeighbours"],
  cases: [
    {
      method: "withNeighbours",
      name: "gives the given memories and the active ones at their places and beside them",
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
        // Twice, as a ledger may keep what it has read.
        const found = async (scopes: readonly [Scope, ...Scope[]], ...numbers: readonly number[]) => {
          const given = numbers.map(refNumber);
          const read = async (): Promise<unknown> => {
            const both = await ledger.withNeighbours?.(tenant, scopes, given);
            deepEqual(both?.memories, await ledger.memories(tenant, given));
            const sorted = both?.neighbours.toSorted((left, right) => (left.memory.id < right.memory.id ? -1 : 1));
            return sorted?.map(({ memory }) => [memory.id, memory.provenance]);
          };
          const [first, second] = [await read(), await read()];
          deepEqual(second, first);
          return first;
        };
        const beside = (...turns: readonly (readonly [number, number])[]): unknown =>
          turns.map(([number, position]) => [refNumber(number), at(position).provenance]);
        deepEqual(await found([alice], 2), beside([1, 0], [6, 2]));
        deepEqual(await found([alice, bob], 2), beside([1, 0], [3, 2], [6, 2]));
        // A turn of another scope leads to those beside it in the scopes that are asked for.
        deepEqual(await found([alice], 3), beside([2, 1], [6, 2], [9, 3]));
        deepEqual(await found([alice], 2, 6), beside([1, 0], [9, 3]));
        deepEqual(await found([alice], 7, 8), []);
        deepEqual(await found([alice]), []);
        // What was read before is not what there is now.
        await context.commit([removed(refNumber(1), 2)]);
        await context.remember(sampleMemory(11, at(0)));
        deepEqual(await found([alice], 2), beside([6, 2], [11, 0]));
        await context.remember(sampleMemory(12, at(1)));
        deepEqual(await found([alice], 2), beside([6, 2], [11, 0], [12, 1]));
        deepEqual(await found([alice], 2, 12), beside([6, 2], [11, 0]));
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(async () => ledger.withNeighbours?.(tenant, [alice], [], gone), "CANCELLED");
      },
    },
    {
      method: "withNeighbours",
      name: "gives the other active values of their slots, each in its own scope",
      run: async (context) => {
        const { ledger, tenant } = context;
        const slot = "theme";
        await context.remember(
          sampleMemory(1, { slot, scope: alice }),
          sampleMemory(2, { slot, ...at(4), scope: alice }),
          sampleMemory(3, { slot, scope: bob }),
          sampleMemory(4, { slot: "editor", scope: alice }),
          sampleMemory(5, { slot, scope: alice, state: "quarantined" }),
          sampleMemory(6, at(5)),
          sampleMemory(7, { slot, scope: alice }),
        );
        await context.commit([removed(refNumber(7), 2)]);
        // Twice, as a ledger may keep what it has read.
        const found = async (scopes: readonly [Scope, ...Scope[]], ...numbers: readonly number[]) => {
          const read = async (): Promise<unknown> => {
            const both = await ledger.withNeighbours?.(tenant, scopes, numbers.map(refNumber));
            return both?.sameSlot.map(({ memory }) => memory.id).toSorted();
          };
          const [first, second] = [await read(), await read()];
          deepEqual(second, first);
          return first;
        };
        deepEqual(await found([alice], 1), [refNumber(2)]);
        deepEqual(await found([alice], 1, 2), []);
        deepEqual(await found([alice], 6), []);
        deepEqual(await found([alice], 3), []);
        deepEqual(await found([alice, bob], 3, 4), []);
        await context.remember(sampleMemory(8, { slot, scope: bob }), sampleMemory(9, { slot, scope: alice }));
        deepEqual(await found([alice, bob], 3, 1), [2, 8, 9].map(refNumber));
        const last = Array.from({ length: 12 }, (_, index) => sampleMemory(20 + index, { slot, scope: alice }));
        await context.remember(...last);
        deepEqual(
          await found([alice], 1),
          last.slice(-valuesOfSlot).map(({ id }) => id),
        );
      },
    },
  ],
};
