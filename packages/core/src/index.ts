export * from "./budget/index.ts";
export * from "./tokens/index.ts";
