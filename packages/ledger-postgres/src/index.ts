export {
  inspectPostgresLedger,
  type InspectPostgresLedgerOptions,
  type PostgresLedgerFacts,
} from "./inspect-postgres-ledger.ts";
export { migratePostgresLedger, type MigratePostgresLedgerOptions } from "./migrate.ts";
export { openPostgresLedger, type PostgresLedgerOptions } from "./open-postgres-ledger.ts";
