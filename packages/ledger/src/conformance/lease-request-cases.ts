import { deepEqual, equal, ok } from "node:assert/strict";
import type { LedgerCaseFile } from "./ledger-context.ts";

/** Of ledgers that several servers share. Names of projections are the case's own. */
export const leaseRequestCases: LedgerCaseFile = {
  covers: ["askForLease", "onLeaseAskedFor"],
  cases: [
    {
      method: "askForLease",
      name: "tells who listens of what is asked for, and takes the lease from nobody",
      run: async ({ ledger, tenant }) => {
        const heard: unknown[] = [];
        const stop = ledger.onLeaseAskedFor?.((asked, projection) => asked === tenant && heard.push(projection));
        const lease = await ledger.lease(tenant, "asked for");
        await ledger.askForLease?.(tenant, "asked for");
        deepEqual(heard, ["asked for"]);
        equal(await ledger.lease(tenant, "asked for"), undefined);
        equal(await lease?.acknowledge(0), true);
        await lease?.release();
        ok(await ledger.lease(tenant, "asked for"));
        stop?.();
        await ledger.askForLease?.(tenant, "asked for");
        deepEqual(heard, ["asked for"]);
      },
    },
  ],
};
