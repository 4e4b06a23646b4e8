import { deepEqual, equal, ok } from "node:assert/strict";
import type { LedgerCaseFile } from "./ledger-context.ts";

/** Of ledgers that several servers share. Names of projections are the case's own. */
export const leaseRequestCases: LedgerCaseFile = {
  covers: ["askForLease", "onLeaseAskedFor"],
  cases: [
    {
      method: "askForLease",
      name: "takes the lease from nobody",
      run: async ({ ledger, tenant }) => {
        const lease = await ledger.lease(tenant, "asked for");
        await ledger.askForLease?.(tenant, "asked for");
        equal(await ledger.lease(tenant, "asked for"), undefined);
        equal(await lease?.acknowledge(0), true);
        await lease?.release();
        ok(await ledger.lease(tenant, "asked for"));
      },
    },
    {
      method: "onLeaseAskedFor",
      name: "tells who listens of what is asked for, until they stop",
      run: async ({ ledger, tenant }) => {
        const heard: unknown[] = [];
        const stop = ledger.onLeaseAskedFor?.((asked, projection) => asked === tenant && heard.push(projection));
        await ledger.askForLease?.(tenant, "one");
        deepEqual(heard, ["one"]);
        stop?.();
        await ledger.askForLease?.(tenant, "another");
        deepEqual(heard, ["one"]);
      },
    },
  ],
};
