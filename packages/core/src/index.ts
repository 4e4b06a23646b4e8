export * from "./budget/index.ts";
export * from "./recall/index.ts";
export * from "./scoring/index.ts";
export * from "./text/index.ts";
export * from "./tokens/index.ts";
