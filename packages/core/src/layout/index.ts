export type * from "./layout.ts";
export * from "./memory-blocks.ts";
