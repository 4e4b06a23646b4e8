import {
  exportedRecordToProto,
  exportRecordsRequest,
  importRecordsReportToProto,
  maintenanceJobFromProto,
  operationToProto,
  type proto,
} from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";
import type { ServedOperations } from "../operations/served-operations.ts";

/** Jobs that keep a deployment in order. Their roles are the engine's to check, as they differ by job. */
export function maintenanceMethods(operations: ServedOperations): MethodsOf<typeof proto.MaintenanceServiceService> {
  return {
    startMaintenance: async (request, { principal }) => {
      const job = maintenanceJobFromProto(request);
      const operation = await operations.start(principal, { kind: job.type, role: "admin", job });
      return { operation: operationToProto(operation) };
    },
    exportMemories: async ({ pageSize, pageToken }, { loci, options }) => {
      const after = pageToken === "" ? undefined : pageToken;
      const { lines, next = "" } = await loci.maintenance.exportMemories({ after, pageSize }, options);
      return { lines: [...lines], nextPageToken: next };
    },
    importMemories: async ({ lines }, { loci, options }) => {
      const { imported, unchanged, erased, leftOut = [] } = await loci.maintenance.importMemories(lines, options);
      return { importedCount: imported, unchangedCount: unchanged, erasedCount: erased, leftOut: [...leftOut] };
    },
    exportRecords: async function* (request, { loci, options }) {
      for await (const record of loci.maintenance.exportRecords(exportRecordsRequest.fromProto(request), options))
        yield exportedRecordToProto(record);
    },
    importRecords: async ({ lines }, { loci, options }) =>
      importRecordsReportToProto(await loci.maintenance.importRecords(lines, options)),
  };
}
