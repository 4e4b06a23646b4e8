import { deepEqual } from "node:assert/strict";
import type { Instant, Ref, TenantId } from "@loci/domain";
import type { RecallMark, RecallMarkQuery } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, type LedgerContext } from "./ledger-context.ts";
import { beginning, refNumber } from "./samples.ts";

const hour = 3_600_000;
const numbers = [1, 2, 3, 4];

export function sampleMark(numbers: readonly number[], changes: Partial<RecallMark> = {}): RecallMark {
  const refs = numbers.map(refNumber);
  return { owner: "alice", session: "one", refs, at: beginning, keepMilliseconds: hour, ...changes };
}

async function lastShown(
  { ledger, tenant }: Pick<LedgerContext, "ledger" | "tenant">,
  query: Partial<RecallMarkQuery> = {},
): Promise<ReadonlyMap<Ref, Instant>> {
  const refs = numbers.map(refNumber);
  const asked: RecallMarkQuery = { owner: "alice", session: "two", shownTo: "otherSessions", refs, ...query };
  return new Map(await ledger.recallMarks.lastShown(tenant, asked));
}

function times(entries: readonly (readonly [number, Instant])[]): ReadonlyMap<Ref, Instant> {
  return new Map(entries.map(([number, at]) => [refNumber(number), at]));
}

/** What sessions were shown lately. */
export const recallMarkCases: LedgerCaseFile = {
  covers: ["recallMarks.lastShown", "recallMarks.record"],
  cases: [
    {
      method: "recallMarks.lastShown",
      name: "tells the other sessions of an owner from this one",
      run: async (context) => {
        const { ledger, tenant } = context;
        await ledger.recallMarks.record(tenant, [
          sampleMark([1, 2]),
          sampleMark([2, 3], { session: "two", at: beginning + 5 }),
          sampleMark([1], { session: "three", at: beginning + 7 }),
          sampleMark([4], { owner: "bob" }),
        ]);
        deepEqual(
          await lastShown(context),
          times([
            [1, beginning + 7],
            [2, beginning],
          ]),
        );
        deepEqual(
          await lastShown(context, { shownTo: "session" }),
          times([
            [2, beginning + 5],
            [3, beginning + 5],
          ]),
        );
        deepEqual(await lastShown(context, { session: "new", refs: [refNumber(2)] }), times([[2, beginning + 5]]));
        deepEqual(await lastShown(context, { owner: "bob" }), times([[4, beginning]]));
        for (const owner of ["Alice", "al%", "alic", "alice'; --"])
          deepEqual(await lastShown(context, { owner }), times([]));
        deepEqual(await lastShown(context, { refs: [] }), times([]));
        const query: RecallMarkQuery = { owner: "alice", session: "two", shownTo: "session", refs: [] };
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(() => ledger.recallMarks.lastShown(tenant, query, gone), "CANCELLED");
      },
    },
    {
      method: "recallMarks.record",
      name: "keeps the latest time of a memory in a session, whatever the order",
      run: async (context) => {
        const { ledger, tenant } = context;
        await ledger.recallMarks.record(tenant, []);
        await Promise.all(
          [3, 9, 1].map((offset) => ledger.recallMarks.record(tenant, [sampleMark([1], { at: beginning + offset })])),
        );
        deepEqual(await lastShown(context), times([[1, beginning + 9]]));
        await ledger.recallMarks.record(tenant, [sampleMark([1, 1], { at: beginning - 5 })]);
        deepEqual(await lastShown(context), times([[1, beginning + 9]]));
        await ledger.recallMarks.record(tenant, [sampleMark([2], { at: -7 })]);
        deepEqual(await lastShown(context, { refs: [refNumber(2)] }), times([[2, -7]]));
      },
    },
    {
      method: "recallMarks.record",
      name: "removes what need not be remembered any more, by the ledger's clock, of every tenant",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const other = `${tenant}:other` as TenantId;
        // The caller's time may be any; it is the ledger's that marks end by.
        await ledger.recallMarks.record(tenant, [
          sampleMark([1], { at: 0 }),
          sampleMark([2], { keepMilliseconds: 2 * hour }),
        ]);
        await ledger.recallMarks.record(other, [sampleMark([1])]);
        clock.now += hour - 1;
        await ledger.recallMarks.record(tenant, [sampleMark([3])]);
        deepEqual([...(await lastShown(context)).keys()].toSorted(), [1, 2, 3].map(refNumber));
        clock.now += 1;
        await ledger.recallMarks.record(tenant, [sampleMark([4])]);
        deepEqual([...(await lastShown(context)).keys()].toSorted(), [2, 3, 4].map(refNumber));
        deepEqual(await lastShown({ ledger, tenant: other }), times([]));
        // A mark that is made again is kept for longer, never for less.
        await ledger.recallMarks.record(tenant, [sampleMark([2], { keepMilliseconds: 1 })]);
        clock.now += 2;
        await ledger.recallMarks.record(tenant, [sampleMark([4])]);
        deepEqual([...(await lastShown(context)).keys()].toSorted(), [2, 3, 4].map(refNumber));
      },
    },
    {
      method: "recallMarks.lastShown",
      name: "never tells one tenant of another, and survives reopening",
      run: async (context) => {
        await context.withFresh(async ({ ledger, reopen }) => {
          const other = `${context.tenant}:other` as TenantId;
          await ledger.recallMarks.record(context.tenant, [sampleMark([1])]);
          await ledger.recallMarks.record(other, [sampleMark([2])]);
          deepEqual(await lastShown({ ledger, tenant: context.tenant }), times([[1, beginning]]));
          deepEqual(await lastShown({ ledger, tenant: other }), times([[2, beginning]]));
          deepEqual(await lastShown({ ledger, tenant: "never seen" as TenantId }), times([]));
          await ledger.close();
          const again = await reopen();
          deepEqual(await lastShown({ ledger: again, tenant: context.tenant }), times([[1, beginning]]));
          await again.close();
        });
      },
    },
  ],
};
