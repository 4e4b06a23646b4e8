export * from "./change.ts";
export * from "./ledger.ts";
