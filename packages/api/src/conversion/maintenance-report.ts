import { checkChoice, maintenanceJobTypes, type MaintenanceReport, memoryId } from "@loci/domain";
import type { MaintenanceReport as ProtoMaintenanceReport } from "../gen/loci/v1/maintenance.ts";

export function maintenanceReportToProto(report: MaintenanceReport): ProtoMaintenanceReport {
  return {
    job: report.job,
    dryRun: report.dryRun,
    counts: new Map(Object.entries(report.counts)),
    findings: report.findings.map(({ memory, reason, details }) => ({
      memory: memory ?? "",
      reason,
      details: new Map(Object.entries(details)),
    })),
    notes: [...report.notes],
  };
}

/** @throws LociError of code `INVALID_ARGUMENT` for what no server of this version sends */
export function maintenanceReportFromProto(report: ProtoMaintenanceReport): MaintenanceReport {
  return {
    job: checkChoice(report.job, maintenanceJobTypes, "report.job"),
    dryRun: report.dryRun,
    counts: Object.fromEntries(report.counts),
    findings: report.findings.map(({ memory, reason, details }) => ({
      ...(memory === "" ? {} : { memory: memoryId(memory) }),
      reason,
      details: Object.fromEntries(details),
    })),
    notes: report.notes,
  };
}
