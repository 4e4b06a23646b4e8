import { deepEqual, equal } from "node:assert/strict";
import type { Provenance, Scope } from "@loci/domain";
import { expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import { refNumber, removed, sampleMemory } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };
const sourceId = "conversation:1";

function at(position: number | undefined, source = sourceId): { readonly provenance: Provenance } {
  return { provenance: { sourceId: source, kind: "conversation", position } };
}

/** Places in cited sources. */
export const positionCases: LedgerCaseFile = {
  covers: ["atPositions", "lastPosition"],
  cases: [
    {
      method: "atPositions",
      name: "gives the active memories at the places, in the scopes",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(
          sampleMemory(1, at(0)),
          sampleMemory(2, at(1)),
          sampleMemory(3, { ...at(1), scope: bob }),
          sampleMemory(4, at(1, "conversation:10")),
          sampleMemory(5, { ...at(1), state: "quarantined" }),
          sampleMemory(6, at(1)),
          sampleMemory(7, at(undefined)),
          sampleMemory(8),
          sampleMemory(9, at(2)),
        );
        await context.commit([removed(refNumber(6), 2)]);
        await context.remember(sampleMemory(9, { ...at(3), version: 2 }));
        const found = async (scopes: readonly [Scope, ...Scope[]], ...places: readonly [string, number][]) => {
          const wanted = places.map(([sourceId, position]) => ({ sourceId, position }));
          const memories = await ledger.atPositions(tenant, scopes, wanted);
          return memories.map(({ memory }) => memory.id).toSorted();
        };
        deepEqual(await found([alice], [sourceId, 1]), [refNumber(2)]);
        deepEqual(await found([alice, bob], [sourceId, 1], [sourceId, 0], [sourceId, 1]), [1, 2, 3].map(refNumber));
        deepEqual(await found([alice], ["conversation:10", 1]), [refNumber(4)]);
        deepEqual(await found([alice], [sourceId, 2], [sourceId, -1], ["conversation:%", 1]), []);
        deepEqual(await found([alice], [sourceId, 3]), [refNumber(9)]);
        deepEqual(await found([alice]), []);
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(() => ledger.atPositions(tenant, [alice], [], gone), "CANCELLED");
      },
    },
    {
      method: "atPositions",
      name: "does not give the one that is known of a place, only what stands besides it",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1, at(0)), sampleMemory(2, at(0)), sampleMemory(3, at(1)));
        const found = async (...places: readonly [position: number, besides?: number][]) => {
          const wanted = places.map(([position, besides]) => ({
            sourceId,
            position,
            ...(besides === undefined ? {} : { besides: refNumber(besides) }),
          }));
          const memories = await ledger.atPositions(tenant, [alice], wanted);
          return memories.map(({ memory }) => memory.id).toSorted();
        };
        deepEqual(await found([0, 1]), [refNumber(2)]);
        deepEqual(await found([0, 3], [1, 3]), [1, 2].map(refNumber));
        deepEqual(await found([0, 1], [0, 2]), [1, 2].map(refNumber));
        deepEqual(await found([1, 3]), []);
      },
    },
    {
      method: "lastPosition",
      name: "is the highest position in the source by any memory of the scope",
      run: async (context) => {
        const { ledger, tenant } = context;
        equal(await ledger.lastPosition(tenant, alice, sourceId), undefined);
        await context.remember(
          sampleMemory(1, at(0)),
          sampleMemory(2, at(12)),
          sampleMemory(3, { ...at(99), scope: bob }),
          sampleMemory(4, at(50, "conversation:10")),
          sampleMemory(5, at(undefined, "conversation:none")),
        );
        equal(await ledger.lastPosition(tenant, alice, sourceId), 12);
        equal(await ledger.lastPosition(tenant, bob, sourceId), 99);
        equal(await ledger.lastPosition(tenant, alice, "conversation:none"), undefined);
        // A position that was used stays used: a new turn must not take a forgotten one's place.
        await context.commit([removed(refNumber(2), 2)]);
        equal(await ledger.lastPosition(tenant, alice, sourceId), 12);
      },
    },
  ],
};
