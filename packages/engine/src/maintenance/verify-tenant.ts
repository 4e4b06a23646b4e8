import type { MaintenanceReport, TenantId } from "@loci/domain";
import type { MaintenanceCall } from "../calls/maintenance-call.ts";
import { checkLog } from "./check-log.ts";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { maxFindings, verifyIndexes } from "./verify-indexes.ts";

/**
 * Reads what the ledger holds of a tenant, then compares it with the indexes. A log of which a part cannot be read is compared
 * with nothing.
 */
export async function verifyTenant(
  services: MaintenanceServices,
  tenant: TenantId,
  job: { readonly repair?: boolean | undefined },
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const log = await checkLog(services.ledger, tenant, maxFindings, call);
  const { entries, damaged } = log;
  if (!log.isReadable)
    return {
      job: "verify",
      dryRun: job.repair !== true,
      counts: { entries, damaged },
      findings: log.findings,
      notes: log.notes,
    };
  const report = await verifyIndexes(services, tenant, job, call);
  return {
    ...report,
    counts: { ...report.counts, entries, damaged },
    findings: [...log.findings, ...report.findings].slice(0, maxFindings),
    notes: [...log.notes, ...report.notes],
  };
}
