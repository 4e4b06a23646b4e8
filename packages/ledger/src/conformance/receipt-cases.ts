import { deepEqual, equal } from "node:assert/strict";
import { globalScope, type Scope, type TenantId } from "@loci/domain";
import type { NewReceipt } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, type LedgerContext } from "./ledger-context.ts";
import { refNumber, sampleMemory } from "./samples.ts";

const hour = 3_600_000;
const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };

/** The receipt of a number. They sort as their numbers do, and name no ref. */
export function sampleReceipt(number: number, changes: Partial<NewReceipt> = {}): NewReceipt {
  return {
    id: refNumber(number),
    summary: `{"number":${number}}`,
    body: Uint8Array.of(0, number, 255),
    refs: [],
    scopes: [alice],
    keepMilliseconds: hour,
    ...changes,
  };
}

async function numbers({ ledger, tenant }: Pick<LedgerContext, "ledger" | "tenant">): Promise<readonly number[]> {
  const listed = await ledger.receipts.list(tenant, { limit: 100 });
  return listed.map(({ summary }) => (JSON.parse(summary) as { readonly number: number }).number);
}

/** What contexts were made of lately. */
export const receiptCases: LedgerCaseFile = {
  covers: ["receipts.get", "receipts.list", "receipts.record"],
  cases: [
    {
      method: "receipts.list",
      name: "gives the newest first, a stretch at a time, each once",
      run: async (context) => {
        const { ledger, tenant } = context;
        deepEqual(await numbers(context), []);
        await ledger.receipts.record(tenant, [], 10);
        await ledger.receipts.record(tenant, [sampleReceipt(2), sampleReceipt(4)], 10);
        await ledger.receipts.record(tenant, [sampleReceipt(3), sampleReceipt(4, { summary: "another" })], 10);
        deepEqual(await numbers(context), [4, 3, 2]);
        const { receipts } = ledger;
        const ids = async (before: number, limit: number): Promise<readonly string[]> =>
          (await receipts.list(tenant, { before: refNumber(before), limit })).map(({ id }) => id);
        deepEqual(await ids(4, 1), [refNumber(3)]);
        deepEqual(await ids(3, 5), [refNumber(2)]);
        deepEqual(await ids(2, 5), []);
        deepEqual(await receipts.list(tenant, { limit: 1 }), [{ id: refNumber(4), summary: `{"number":4}` }]);
        await expectRefusal(() => receipts.list(tenant, { limit: 1 }, { signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      method: "receipts.get",
      name: "gives what was kept, to the byte",
      run: async ({ ledger, tenant }) => {
        const body = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251);
        await ledger.receipts.record(tenant, [sampleReceipt(1), sampleReceipt(2, { body, summary: "größer 🙂" })], 10);
        const found = await ledger.receipts.get(tenant, refNumber(2));
        deepEqual(
          { ...found, body: Uint8Array.from(found?.body ?? []) },
          { id: refNumber(2), summary: "größer 🙂", body },
        );
        equal(await ledger.receipts.get(tenant, refNumber(3)), undefined);
        equal(await ledger.receipts.get(tenant, "' OR 1 = 1 --"), undefined);
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(() => ledger.receipts.get(tenant, refNumber(2), gone), "CANCELLED");
      },
    },
    {
      method: "receipts.record",
      name: "keeps the newest of a tenant, whichever came last, and leaves other tenants alone",
      run: async (context) => {
        const { ledger, tenant } = context;
        const other = `${tenant}:other` as TenantId;
        await ledger.receipts.record(other, [sampleReceipt(1)], 3);
        await ledger.receipts.record(
          tenant,
          [1, 2, 3, 4, 5].map((number) => sampleReceipt(number)),
          3,
        );
        deepEqual(await numbers(context), [5, 4, 3]);
        await ledger.receipts.record(tenant, [sampleReceipt(2), sampleReceipt(6)], 3);
        deepEqual(await numbers(context), [6, 5, 4]);
        deepEqual(await numbers({ ledger, tenant: other }), [1]);
        deepEqual(await numbers({ ledger, tenant: "never seen" as TenantId }), []);
        equal(await ledger.receipts.get(other, refNumber(6)), undefined);
      },
    },
    {
      method: "receipts.record",
      name: "gives nothing whose time is over, by the ledger's clock, and removes it",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        await ledger.receipts.record(tenant, [sampleReceipt(1), sampleReceipt(2, { keepMilliseconds: 2 * hour })], 10);
        clock.now += hour - 1;
        deepEqual(await numbers(context), [2, 1]);
        clock.now += 1;
        deepEqual(await numbers(context), [2]);
        equal(await ledger.receipts.get(tenant, refNumber(1)), undefined);
        await ledger.receipts.record(`${tenant}:other` as TenantId, [sampleReceipt(3)], 10);
        clock.now -= hour;
        deepEqual(await numbers(context), [2]);
        clock.now += hour;
      },
    },
    {
      method: "receipts.record",
      name: "loses what names a purged memory or an erased scope, and takes none of it any more",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1), sampleMemory(2, { scope: bob }));
        const naming = sampleReceipt(11, { refs: [refNumber(5), refNumber(1)], scopes: [globalScope] });
        const ofScope = sampleReceipt(12, { scopes: [globalScope, bob] });
        const other = sampleReceipt(13, { refs: [refNumber(7)], scopes: [{ kind: "user", id: "bobby" }] });
        await ledger.receipts.record(tenant, [naming, ofScope, other], 10);
        await ledger.purge(tenant, { refs: [refNumber(1)] });
        deepEqual(await numbers(context), [13, 12]);
        await ledger.purge(tenant, { scopes: [bob] });
        deepEqual(await numbers(context), [13]);
        await ledger.receipts.record(tenant, [{ ...naming, id: refNumber(14) }, sampleReceipt(15)], 10);
        deepEqual(await numbers(context), [15, 13]);
        await ledger.purge(tenant, { everything: true });
        deepEqual(await numbers(context), []);
      },
    },
    {
      method: "receipts.list",
      name: "still gives what names a scope of a tenant without memories until that is erased, and survives reopening",
      run: async (context) => {
        await context.withFresh(async ({ ledger, reopen }) => {
          const { tenant } = context;
          await ledger.receipts.record(tenant, [sampleReceipt(1), sampleReceipt(2, { scopes: [bob] })], 10);
          await ledger.purge(tenant, { scopes: [bob] });
          await ledger.close();
          const again = await reopen();
          deepEqual(await numbers({ ledger: again, tenant }), [1]);
          await again.close();
        });
      },
    },
  ],
};
