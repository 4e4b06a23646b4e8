export * from "./check-citations.ts";
export * from "./retrieved-message.ts";
export * from "./route-memory.ts";
export { WrittenMemories, type WrittenMemoriesOptions } from "./written-memories.ts";
