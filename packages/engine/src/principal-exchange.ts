import type { CallOptions, ExportedRecord, ExportRecordsRequest, MaintenanceApi } from "@loci/domain";
import { exportMemories } from "./exchange/export-memories.ts";
import { importMemories } from "./exchange/import-memories.ts";
import { checkRecordExport, recordsPage } from "./exchange/export-records.ts";
import { importRecords } from "./exchange/import-records.ts";
import type { RunCall } from "./run-call.ts";

type ExchangeApi = Pick<MaintenanceApi, "exportMemories" | "importMemories" | "exportRecords" | "importRecords">;

/** Everything out, as a row of short calls, and in again. */
export function principalExchange(run: RunCall): ExchangeApi {
  return {
    exportMemories: (request = {}, options) =>
      run(options, (services, call) => exportMemories(services, call, request)),
    importMemories: (lines, options) => run(options, (services, call) => importMemories(services, call, lines)),
    exportRecords: (request = {}, options) => exportAll(run, request, options),
    importRecords: (lines, options) => run(options, (services, call) => importRecords(services, call, lines)),
  };
}

async function* exportAll(
  run: RunCall,
  request: ExportRecordsRequest,
  options: CallOptions | undefined,
): AsyncGenerator<ExportedRecord, void, undefined> {
  const asked = checkRecordExport(request);
  for (let place = asked.start; ;) {
    const from = place;
    const { rows, next } = await run(options, (services, call) => recordsPage(services, call, asked, from));
    yield* rows;
    if (next === undefined) return;
    place = next;
  }
}
