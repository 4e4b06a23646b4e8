export { escapeText, formatReceipt } from "@loci/core";
export * from "@loci/domain";
export type { Embedder, EmbeddingKind } from "@loci/embedding";
export type { ReportProblem } from "@loci/engine";
export { locateDataDirectory } from "./data-directory.ts";
export { findListeningServer } from "./find-listening-server.ts";
export { openEngine, type OpenedEngine, type OpenEngineOptions } from "./open-engine.ts";
export { openLoci, type OpenLociOptions } from "./open-loci.ts";
export { announceServer, findServer, type ServerLocation } from "./served-directory.ts";
