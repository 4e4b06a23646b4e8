import { isAbsolute } from "node:path";
import { maintenanceJobFromProto, operationToProto, type proto } from "@loci/api";
import { LociError, type MaintenanceJob } from "@loci/loci";
import type { MethodsOf } from "../calls/unary-calls.ts";
import type { OperationRegistry } from "../operations/operation-registry.ts";

/** Jobs that keep a deployment in order. Their roles are the engine's to check, as they differ by job. */
export function maintenanceMethods(operations: OperationRegistry): MethodsOf<typeof proto.MaintenanceServiceService> {
  return {
    startMaintenance: async (request, { principal, loci }) => {
      const job = maintenanceJobFromProto(request);
      checkDirectory(job);
      const operation = operations.start(principal, {
        kind: job.type,
        role: "admin",
        run: (signal, onProgress) => loci.maintenance.run(job, { signal, onProgress }),
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

/** A relative path would be taken from wherever the server was started. @throws LociError `INVALID_REQUEST` */
function checkDirectory(job: MaintenanceJob): void {
  if (job.type !== "backup" || isAbsolute(job.directory)) return;
  throw new LociError("INVALID_REQUEST", {
    message: "directory is not an absolute path.",
    field: "directory",
    advice: "Name a new or empty directory on the server, from its root.",
  });
}
