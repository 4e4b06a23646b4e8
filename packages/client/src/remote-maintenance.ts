import {
  exportedRecordFromProto,
  exportRecordsRequest,
  importRecordsReportFromProto,
  maintenanceJobToProto,
  proto,
  writableInt32,
  writableList,
  writableText,
} from "@loci/api";
import {
  checkFields,
  type ExportedRecord,
  type ExportRecordsRequest,
  type ExportRequest,
  fieldsOf,
  LociError,
  type MaintenanceApi,
  type MaintenanceJob,
  maintenanceMethods,
  type MaintenanceOptions,
  type MaintenanceReport,
} from "@loci/domain";
import type { RunningCall, RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";
import { operationEnd, readOperation } from "./operation-end.ts";

const service = proto.MaintenanceServiceService;
const exportFields = fieldsOf<ExportRequest>({ after: true, pageSize: true });

/** How long one wait for a job's progress is, in milliseconds. */
const progressInterval = 1_000;

/** Jobs, run by a server. */
export function remoteMaintenance(calls: RunningCalls, server: ServerCalls): MaintenanceApi {
  const run = (job: MaintenanceJob, options: MaintenanceOptions = {}): Promise<MaintenanceReport> => {
    const { onProgress, ...rest } = options;
    return calls.run(rest, async (call) => {
      // Starting twice would do the work twice.
      const started = await server.unary(service.startMaintenance, maintenanceJobToProto(job), call, false);
      const operation = readOperation(server, started);
      const longestWait = onProgress === undefined ? undefined : progressInterval;
      const ended = await operationEnd(server, operation, call, {
        longestWait,
        onChange: ({ progress }) => progress !== undefined && onProgress?.(progress),
      });
      if (ended.result?.type !== "maintenance")
        throw new LociError("INTERNAL", { message: `The operation ${ended.id} ended without a report.` });
      return ended.result.report;
    });
  };
  return {
    ...maintenanceMethods(run),
    exportMemories: (request = {}, options) =>
      calls.run(options, async (call) => {
        checkFields(request, exportFields, "request");
        const { after, pageSize } = request;
        const response = await server.unary(
          service.exportMemories,
          {
            pageSize: pageSize === undefined ? undefined : writableInt32(pageSize, "pageSize"),
            pageToken: after === undefined ? "" : writableText(after, "after", "INVALID_REQUEST"),
          },
          call,
        );
        const { lines, nextPageToken } = response;
        return nextPageToken === "" ? { lines } : { lines, next: nextPageToken };
      }),
    importMemories: (lines, options) =>
      calls.run(options, async (call) => {
        const checked = writableList(lines, "lines").map((line, index) => writableText(line, `lines[${index}]`));
        const { importedCount, unchangedCount, erasedCount, leftOut } = await server.unary(
          service.importMemories,
          { lines: checked },
          call,
        );
        const report = { imported: importedCount, unchanged: unchangedCount, erased: erasedCount };
        return leftOut.length === 0 ? report : { ...report, leftOut };
      }),
    exportRecords: (request = {}, options) => calls.stream(options, (call) => exportAll(server, request, call)),
    importRecords: (lines, options) =>
      calls.run(options, async (call) => {
        const checked = writableList(lines, "lines").map((line, index) => writableText(line, `lines[${index}]`));
        const response = await server.unary(service.importRecords, { lines: checked }, call);
        return server.read(response, importRecordsReportFromProto);
      }),
  };
}

async function* exportAll(
  server: ServerCalls,
  request: ExportRecordsRequest,
  call: Omit<RunningCall, "requestId">,
): AsyncGenerator<ExportedRecord, void, undefined> {
  const first = exportRecordsRequest.toProto(request);
  const resumed = ({ place }: proto.ExportRecordsResponse): typeof first => ({ ...first, after: place });
  for await (const response of server.stream(service.exportRecords, first, resumed, call))
    yield server.read(response, exportedRecordFromProto);
}
