export type { BlockRecord, EditState } from "./blocks/block-records.ts";
export { createEngine, type Engine } from "./engine.ts";
export type { EngineOptions } from "./engine-options.ts";
export type { MetadataFields, MetadataType } from "./projections/declared-metadata.ts";
export type { ScoringOptions } from "./recall/scoring-profiles.ts";
export type { BoundFile, BoundFileInput } from "./blocks/bound-files.ts";
export { dayNames, shownDays } from "./sessions/day-names.ts";
export { LayeredFilesReader, type ReadLayeredFilesOptions } from "./assembly/layered-files/read-layered-files.ts";
export type { RerankCandidate, Reranker, RerankScore } from "./recall/reranker.ts";
export { type ReportProblem, warnOfProblem } from "./calls/report-problem.ts";
export type { HistoryNote } from "./projections/index-history.ts";
export { forgetLedgerIdentity, ledgerIdentity } from "./projections/ledger-identity.ts";
export type { EmbedderChoice, IndexOwners, IndexPlaces, OpenPlace } from "./projections/index-places.ts";
export { activeNames, type IndexRecord, projectionNamesOf, readIndexRecord } from "./projections/index-record.ts";
export { type KeptReceiptsOptions, receiptTimeOf } from "./receipts/kept-receipts-options.ts";
export { errorOfJob } from "./jobs/job-error.ts";
export type { JobHandler, JobRun } from "./jobs/job-handler.ts";
export { Jobs, type JobsOptions } from "./jobs/jobs.ts";
export type { BackupLedger, ScrubFiles } from "./maintenance/deployment-files.ts";
export { type JobRepetition, JobTurns, type JobTurnsOptions } from "./maintenance/job-turns.ts";
export { carrySettings, type TenantPresence } from "./tenant-presence.ts";
export type { MaintenanceCall } from "./calls/maintenance-call.ts";
export type { LogProjection, Verification } from "./projections/log-projection.ts";
export type { TenantEmbedder } from "./embedding/text-embedding.ts";
export { MetricInstruments, type Observe } from "./calls/metric-instruments.ts";
export {
  engineMetricAttributes,
  engineMetrics,
  type Metric,
  type MetricAttributes,
  type MetricKind,
} from "./calls/metric-table.ts";
export { observedEmbedder } from "./calls/observed-models.ts";
export type { UsageCaps } from "./usage/model-usage.ts";
