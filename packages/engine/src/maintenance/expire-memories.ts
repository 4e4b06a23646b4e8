import type { MaintenanceReport } from "@loci/domain";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { changeSelected } from "./change-selected.ts";
import type { JobCall } from "../calls/maintenance-call.ts";

/** Turns memories past their time into tombstones. They were not recalled any more; now they give up their rows too. */
export function expireMemories(services: MaintenanceServices, call: JobCall): Promise<MaintenanceReport> {
  const { now } = call;
  return changeSelected(
    services,
    "expire",
    ({ memory: { id, version, state, expiresAt } }) => {
      if (state === "deleted" || expiresAt === undefined || expiresAt > now) return undefined;
      const details = { expiresAt: String(expiresAt), evaluationTime: String(now), version: String(version) };
      return {
        change: { type: "memoryRemoved", ref: id, version: version + 1, removedAt: now },
        finding: { memory: id, reason: "EXPIRED", details },
      };
    },
    call,
  );
}
