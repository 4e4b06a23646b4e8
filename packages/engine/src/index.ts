export { createEngine, type Engine, type EngineOptions } from "./engine.ts";
export { LayeredFilesReader, type ReadLayeredFilesOptions } from "./layered-files/read-layered-files.ts";
export { type ReportProblem, warnOfProblem } from "./report-problem.ts";
export type { EmbedderChoice, IndexPlaces, OpenPlace } from "./maintenance/index-places.ts";
export { activeNames, type IndexRecord, projectionNamesOf, readIndexRecord } from "./maintenance/index-record.ts";
export type { BackupLedger, ScrubFiles } from "./maintenance/maintenance.ts";
export type { MaintenanceCall } from "./maintenance/maintenance-call.ts";
export type { TenantEmbedder } from "./text-embedding.ts";
export type { UsageCaps } from "./model-usage.ts";
