import { type MaintenanceJob, type Principal, roles, tenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { expect, test } from "vitest";
import type { EngineServices } from "../src/engine-services.ts";
import { CurrentServices } from "../src/calls/current-services.ts";
import type { IndexMover } from "../src/maintenance/index-mover.ts";
import { Maintenance } from "../src/maintenance/maintenance.ts";
import { RunningCalls } from "../src/calls/running-calls.ts";
import { ScoringProfiles } from "../src/recall/scoring-profiles.ts";

const admin: Principal = { tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] };
const jobs: readonly MaintenanceJob[] = [
  { type: "expire" },
  { type: "prune" },
  { type: "reweigh" },
  { type: "review" },
];

test.each(jobs)("$type works with the same services from its beginning to its end", async (job) => {
  const scanned = Promise.withResolvers<readonly []>();
  const asked = Promise.withResolvers<void>();
  // It is stopped at its first look at the memories.
  const ledger = {
    count: async () => 0,
    scan: () => {
      asked.resolve();
      return scanned.promise;
    },
  } as unknown as Ledger;
  const nothingWaits = { flush: async () => undefined };
  const services = {
    ledger,
    clock: () => 0,
    profiles: new ScoringProfiles(),
    usage: nothingWaits,
    shown: nothingWaits,
  } as unknown as EngineServices;
  const current = new CurrentServices(services);
  const mover = {} as IndexMover;
  const maintenance = new Maintenance({ current, mover, backupLedger: undefined, scrubFiles: undefined });
  const running = maintenance.for(admin, new RunningCalls()).run(job);
  await asked.promise;
  let isReplaced = false;
  const replacing = current.replace(services).then(() => (isReplaced = true));
  await new Promise(setImmediate);
  expect(isReplaced).toBe(false);
  scanned.resolve([]);
  await running;
  await replacing;
});
