export * from "./change.ts";
export * from "./compared-text.ts";
export * from "./ledger.ts";
export * from "./ledger-maintenance.ts";
export * from "./stored-memory.ts";
export * from "./too-many-versions.ts";
