export type { TextIndexFixture } from "./text-context.ts";
export { textIndexConformance, type TextIndexConformanceOptions } from "./text-index-conformance.ts";
export type { VectorStoreFixture } from "./vector-context.ts";
export { vectorStoreConformance, type VectorStoreConformanceOptions } from "./vector-store-conformance.ts";
export { type Fate, type FoundFile, RecordedDisk } from "./recorded-disk.ts";
export { applyUntilKilled, crashTenant } from "./crash-log.ts";
export { type KillOptions, surviveKills, type SurvivingIndexes } from "./survive-kills.ts";
export { mainCollection as crashCollection, space as crashSpace } from "./vector-context.ts";
