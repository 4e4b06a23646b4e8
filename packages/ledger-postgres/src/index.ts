export { migratePostgresLedger, type MigratePostgresLedgerOptions } from "./migrate.ts";
export { openPostgresLedger, type PostgresLedgerOptions } from "./open-postgres-ledger.ts";
