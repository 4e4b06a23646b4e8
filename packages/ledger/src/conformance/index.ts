export type { LedgerFixture, OpenLedger, PlantedEntry } from "./ledger-context.ts";
export { ledgerConformance, type LedgerConformanceOptions } from "./ledger-conformance.ts";
export type { TestApi } from "./test-api.ts";
