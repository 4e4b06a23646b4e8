import type { MaintenanceReport } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { type MaintenanceCall, ProgressMeter } from "../calls/maintenance-call.ts";

/** Indexes are rewritten once so many changes, and this share of all there were, have come since. */
const leastChanges = 1_000;
const leastShare = 0.1;
const settingName = "compacted";

/** Gives back space and keeps searching fast: the ledger's always, the indexes' when enough has changed since. */
export async function compactStorage(
  { ledger, vectors, textIndex }: MaintenanceServices,
  dryRun: boolean,
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const before = Number((await ledger.settings.get(undefined, settingName)) ?? 0);
  const changes = await changesOf(ledger);
  // Fewer than there were: a tenant has left, and what came since nobody knows.
  const changesSince = changes < before ? changes : changes - before;
  const isNeeded = changesSince >= Math.max(leastChanges, leastShare * (changes - changesSince));
  const counts = { changesSince, indexes: isNeeded ? 2 : 0, reclaimedBytes: 0 };
  const report = { job: "compact", dryRun, findings: [], notes: [] } as const;
  if (dryRun) return { ...report, counts };
  const meter = new ProgressMeter("compacting", call);
  if (isNeeded) {
    await vectors.maintain({ signal: call.signal });
    meter.add(1, 3);
    await textIndex.maintain({ signal: call.signal });
    meter.add(1, 3);
    await ledger.settings.set(undefined, settingName, String(changes));
  }
  const { reclaimedBytes } = await ledger.maintain({ scrub: false }, call);
  meter.add(1, isNeeded ? 3 : 1);
  return { ...report, counts: { ...counts, reclaimedBytes } };
}

/** Of all tenants, ever. */
async function changesOf(ledger: Ledger): Promise<number> {
  let changes = 0;
  // Nothing is acknowledged under this name: the heads of all tenants are read together.
  for (const { head } of await ledger.pending(settingName)) changes += head;
  return changes;
}
