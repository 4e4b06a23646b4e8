import { deepEqual, equal, ok } from "node:assert/strict";
import type { Ledger, PendingProjection, ProjectionLease } from "../index.ts";
import { type LedgerCaseFile, type LedgerContext } from "./ledger-context.ts";
import { dayMilliseconds, sampleMemory } from "./samples.ts";

/** Longer than any lease lasts that is not renewed. */
const longerThanLeases = 60_000;

async function taken(ledger: Ledger, context: LedgerContext, projection: string): Promise<ProjectionLease> {
  const lease = await ledger.lease(context.tenant, projection);
  ok(lease, "the lease is free, but was not given");
  return lease;
}

async function pendingOf(context: LedgerContext, projection: string): Promise<PendingProjection | undefined> {
  const pending = await context.ledger.pending(projection);
  return pending.find(({ tenant }) => tenant === context.tenant);
}

/** Leases and acknowledgements. The names of the projections are the case's own: they are shared by all tenants. */
export const projectionCases: LedgerCaseFile = {
  covers: ["lease", "lease.acknowledge", "lease.release", "pending", "resetProjection"],
  cases: [
    {
      method: "lease",
      name: "is given to one holder at a time, for each tenant and projection",
      run: async (context) => {
        const { ledger, tenant } = context;
        const all = await Promise.all(Array.from({ length: 10 }, () => ledger.lease(tenant, "one at a time")));
        equal(all.filter((lease) => lease !== undefined).length, 1);
        ok(await ledger.lease(tenant, "one at a time "));
        ok(await ledger.lease(`${tenant} ` as typeof tenant, "one at a time"));
      },
    },
    {
      method: "lease",
      name: "ends by itself when its holder does not renew it",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const first = await taken(ledger, context, "expiring");
        clock.now += longerThanLeases;
        const second = await taken(ledger, context, "expiring");
        equal(await first.acknowledge(1), false);
        equal(await ledger.lease(tenant, "expiring"), undefined);
        equal(await second.acknowledge(1), true);
      },
    },
    {
      method: "lease",
      name: "does not last longer because the clock was set back",
      run: async (context) => {
        const lease = await taken(context.ledger, context, "set back");
        context.clock.now -= dayMilliseconds;
        await taken(context.ledger, context, "set back");
        equal(await lease.acknowledge(1), false);
      },
    },
    {
      method: "lease.acknowledge",
      name: "notes how far the projection has come, and renews the lease",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const projection = "acknowledging";
        await context.remember(sampleMemory(1), sampleMemory(2));
        const lease = await taken(ledger, context, projection);
        deepEqual(await pendingOf(context, projection), { tenant, head: 2, acknowledged: 0 });
        for (let step = 0; step < 20; step++) {
          clock.now += longerThanLeases / 20;
          equal(await lease.acknowledge(1), true);
          equal(await ledger.lease(tenant, projection), undefined);
        }
        deepEqual(await pendingOf(context, projection), { tenant, head: 2, acknowledged: 1 });
        equal(await lease.acknowledge(2), true);
        equal(await pendingOf(context, projection), undefined);
      },
    },
    {
      method: "lease.release",
      name: "lets the next holder in at once, and ends what the old one may do",
      run: async (context) => {
        const lease = await taken(context.ledger, context, "released");
        await lease.release();
        await taken(context.ledger, context, "released");
        await lease.release();
        equal(await lease.acknowledge(1), false);
        equal(await context.ledger.lease(context.tenant, "released"), undefined);
      },
    },
    {
      method: "pending",
      name: "names tenants whose log is ahead, for each projection",
      run: async (context) => {
        const { ledger, tenant } = context;
        equal(await pendingOf(context, "pending a"), undefined);
        await context.remember(sampleMemory(1));
        deepEqual(await pendingOf(context, "pending a"), { tenant, head: 1, acknowledged: 0 });
        const lease = await taken(ledger, context, "pending a");
        await lease.acknowledge(1);
        equal(await pendingOf(context, "pending a"), undefined);
        deepEqual(await pendingOf(context, "pending b"), { tenant, head: 1, acknowledged: 0 });
        await context.remember(sampleMemory(2));
        deepEqual(await pendingOf(context, "pending a"), { tenant, head: 2, acknowledged: 1 });
      },
    },
    {
      method: "resetProjection",
      name: "forgets what was acknowledged, and whoever was at it",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1));
        const lease = await taken(ledger, context, "lost");
        const kept = await taken(ledger, context, "kept");
        await lease.acknowledge(1);
        await kept.acknowledge(1);
        await ledger.resetProjection("lost");
        equal(await lease.acknowledge(1), false);
        deepEqual(await pendingOf(context, "lost"), { tenant, head: 1, acknowledged: 0 });
        equal(await pendingOf(context, "kept"), undefined);
        await taken(ledger, context, "lost");
      },
    },
  ],
};
