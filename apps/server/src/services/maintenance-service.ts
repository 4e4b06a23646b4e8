import { maintenanceJobFromProto, operationToProto, type proto } from "@loci/api";
import { authorize, type MaintenanceJob } from "@loci/loci";
import type { MethodsOf } from "../calls/unary-calls.ts";
import { backupTarget } from "../maintenance/backup-target.ts";
import type { OperationRegistry } from "../operations/operation-registry.ts";

/**
 * Jobs that keep a deployment in order. Their roles are the engine's to check, as they differ by job.
 *
 * @param backupDirectory the only place that backups go to. Absolute
 */
export function maintenanceMethods(
  operations: OperationRegistry,
  backupDirectory: string,
): MethodsOf<typeof proto.MaintenanceServiceService> {
  return {
    startMaintenance: async (request, { principal, loci }) => {
      const job = maintenanceJobFromProto(request);
      const placed = async (): Promise<MaintenanceJob> => {
        if (job.type !== "backup") return job;
        // As the engine does, before anything is said of the name.
        authorize(principal, "operate", []);
        return { ...job, directory: await backupTarget(backupDirectory, job.directory) };
      };
      const operation = operations.start(principal, {
        kind: job.type,
        role: "admin",
        run: async (signal, onProgress) => loci.maintenance.run(await placed(), { signal, onProgress }),
      });
      return { operation: operationToProto(operation) };
    },
    exportMemories: async ({ pageSize, pageToken }, { loci, options }) => {
      const after = pageToken === "" ? undefined : pageToken;
      const { lines, next = "" } = await loci.maintenance.exportMemories({ after, pageSize }, options);
      return { lines: [...lines], nextPageToken: next };
    },
    importMemories: async ({ lines }, { loci, options }) => {
      const { imported, unchanged, erased } = await loci.maintenance.importMemories(lines, options);
      return { importedCount: imported, unchangedCount: unchanged, erasedCount: erased };
    },
  };
}
