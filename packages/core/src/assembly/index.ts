export * from "./assemble-context.ts";
export type * from "./assembly-input.ts";
export * from "./format-receipt.ts";
