export * from "./check-citations.ts";
export * from "./retrieved-message.ts";
export * from "./route-memory.ts";
export { withoutOverridden } from "./standing.ts";
export { standingMemories } from "./standing-memories.ts";
export type { Outdated, ShownMemory } from "./memory-item.ts";
export * from "./outdated-turns.ts";
export { markOutdatedValues, outdatedValues } from "./outdated-values.ts";
export { WrittenMemories, type WrittenMemoriesOptions } from "./written-memories.ts";
