export * from "./change.ts";
export * from "./ledger.ts";
export * from "./too-many-versions.ts";
