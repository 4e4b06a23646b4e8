export * from "./documented-limits.ts";
export * from "./injected-fault.ts";
export * from "./start-emulator.ts";
export { matchesMetadata } from "./metadata-filter.ts";
