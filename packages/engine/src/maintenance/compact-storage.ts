import type { MaintenanceReport } from "@loci/domain";
import type { EngineServices } from "../engine-services.ts";
import { type MaintenanceCall, ProgressMeter } from "./maintenance-call.ts";

/** Gives back space and keeps searching fast: the ledger's and the indexes'. */
export async function compactStorage(
  { ledger, vectors, textIndex }: EngineServices,
  dryRun: boolean,
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const report = { job: "compact", dryRun, findings: [], notes: [] } as const;
  if (dryRun) return { ...report, counts: { reclaimedBytes: 0 } };
  const meter = new ProgressMeter("compacting", call);
  await vectors.maintain({ signal: call.signal });
  meter.add(1, 3);
  await textIndex.maintain({ signal: call.signal });
  meter.add(1, 3);
  const { reclaimedBytes } = await ledger.maintain({ scrub: false }, call);
  meter.add(1, 3);
  return { ...report, counts: { reclaimedBytes } };
}
