export { openPgvectorStore, type PgvectorStore, removePgvectorStore } from "./open-pgvector-store.ts";
export type { IndexKind, PgvectorStoreOptions } from "./pgvector-store-options.ts";
export { openPostgresWords, type PostgresWords } from "./open-postgres-words.ts";
