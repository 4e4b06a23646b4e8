// First: it says what Node is needed, before anything that an older one stumbles over is run.
export {
  directoryOwner,
  type DirectoryOwner,
  inspectLedgerFile,
  type LedgerFileFacts,
  codeOfWriting,
  danglingLink,
  makeDirectories,
  writingTrouble,
} from "@loci/ledger-sqlite";
export {
  checkCitations,
  compareAssemblies,
  escapeText,
  unescapeText,
  findLayout,
  formatReceipt,
  parseBlockSchema,
  parseLayout,
  retrievedMessage,
  toAiSdk,
  toAnthropic,
  writeBlockMarkdown,
} from "@loci/core";
export type { FrameworkBlock } from "@loci/core";
export { type DetectedClass, detectedClasses, detectionPolicies, type DetectionPolicy } from "@loci/core";
export { rotationStrategies, type RotationStrategy } from "@loci/core";
export { scoringProfileNames, type TextLanguage, textLanguages } from "@loci/core";
export type { AiSdkContext, AiSdkMessage, AnthropicContext, AnthropicMessage } from "@loci/core";
export * from "@loci/domain";
export type { Embedder, EmbeddingKind } from "@loci/embedding";
export { type EncryptionKeys, newEncryptionKey, readEncryptionKeys } from "@loci/encryption";
export { openAiCompatibleEmbedder, openLocalEmbedder, type OpenAiCompatibleEmbedderOptions } from "@loci/embedding";
export type { RerankCandidate, Reranker, RerankScore } from "@loci/engine";
export type { BoundFile, BoundFileInput } from "@loci/engine";
export {
  engineMetricAttributes,
  engineMetrics,
  type Metric,
  type MetricAttributes,
  MetricInstruments,
  type MetricKind,
} from "@loci/engine";
export { type KeptReceiptsOptions, receiptTimeOf } from "@loci/engine";
export { errorOfJob, type JobHandler, type JobRun, Jobs } from "@loci/engine";
export type { JobRepetition, JobTurns, MetadataFields, MetadataType, ScoringOptions } from "@loci/engine";
export { LayeredFilesReader, type ReadLayeredFilesOptions, type ReportProblem } from "@loci/engine";
export type { PostgresLedgerFacts } from "@loci/ledger-postgres";
export { inspectPostgres } from "./open-ledger.ts";
export type { LanguageModel } from "@loci/language-model";
export {
  openAiCompatibleModel,
  type OpenAiCompatibleModelOptions,
  type OutputLimitField,
  outputLimitFields,
  type StructuredOutput,
  structuredOutputs,
} from "@loci/language-model";
export {
  announceStart,
  findListeningServer,
  findServer,
  findStartingServer,
  locateDataDirectory,
  type ServerLocation,
} from "@loci/served-directory";
export { announceServer } from "./announce-server.ts";
export { backupsIn } from "./backup.ts";
export { type DailyFiles, writeDailyFiles, type WriteDailyFilesOptions } from "./daily-files.ts";
export { parseErasure, type Erasure } from "./erasures.ts";
export type { CustomIndex } from "./indexes/custom-indexes.ts";
export {
  defaultIndex,
  indexAdapters,
  type LanceIndex,
  type PgvectorIndex,
  type PineconeIndex,
} from "./indexes/index-adapters.ts";
export {
  type IndexChoice,
  type IndexKind,
  indexKinds,
  type IndexName,
  type OutsideIndexKind,
} from "./indexes/index-choice.ts";
export { missingIndexFiles } from "@loci/store-embedded";
export type { IndexAdapter, IndexSetting, SecretSetting } from "@loci/store";
export { openEngine, type OpenedEngine, type OpenEngineOptions } from "./open-engine.ts";
export type { LedgerChoice, PostgresLedger } from "./open-ledger.ts";
export {
  type AnthropicTool,
  editMemoryBlockAnthropic,
  editMemoryBlockOpenAi,
  type OpenAiTool,
  runEditMemoryBlock,
} from "./agent-tools/edit-memory-block.ts";
export { frameworkBlocks, type FrameworkBlocksOptions } from "./agent-tools/framework-blocks.ts";
export { type MemoryCommand, runMemoryCommand } from "./agent-tools/memory-commands.ts";
export { type LocalLoci, openLoci, type OpenLociOptions } from "./open-loci.ts";
export { restoreBackup, type RestoreBackupOptions, type RestoredBackup } from "./restore-backup.ts";
export { backUpStopped, type BackUpStoppedOptions } from "./shards/back-up-stopped.ts";
export { beginDividedBackup, endDividedBackup, shardBackup } from "./shards/divided-backup.ts";
export {
  divideAnew,
  type DivideAnewOptions,
  type DividedDirectory,
  type DividingProgress,
} from "./shards/divide-anew.ts";
export { divideDirectory } from "./shards/divide-directory.ts";
export { beginMoves, decideMoves, forgetLeftovers, type TenantMove } from "./shards/division-changes.ts";
export { type ChangedRows, tenantsInFile } from "@loci/ledger-sqlite";
export { type CopyOptions, TenantMoves } from "./shards/tenant-moves.ts";
export { writeDivision } from "./shards/write-division.ts";
export {
  type DirectoryDivision,
  divisionFile,
  mostShards,
  readDivision,
  shardDirectory,
  type ShardOfDirectory,
  shardOfDirectory,
  tenantShards,
} from "./shards/directory-division.ts";
export type { Leftover } from "./shards/division-note.ts";
export { rendezvousOrder } from "./shards/tenant-shard.ts";
export { vectorsOfRecord } from "./indexes/vectors-of-record.ts";
