export { missingPostgres } from "./installation.ts";
export * from "./count-statements.ts";
export * from "./postgres-pair.ts";
export * from "./running-postgres.ts";
export * from "./start-postgres.ts";
export * from "./test-database.ts";
