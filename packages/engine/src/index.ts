export { createEngine, type Engine, type EngineOptions } from "./engine.ts";
export { LayeredFilesReader, type ReadLayeredFilesOptions } from "./layered-files/read-layered-files.ts";
export { type ReportProblem, warnOfProblem } from "./report-problem.ts";
export type { TenantEmbedder } from "./text-embedding.ts";
export type { UsageCaps } from "./model-usage.ts";
