export type { LedgerFixture, OpenLedger, PlantedEntry } from "./ledger-context.ts";
export { ledgerConformance, type LedgerConformanceOptions, type LedgerTestApi } from "./ledger-conformance.ts";
