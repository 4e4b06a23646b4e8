export { clientConfiguration } from "./client-configuration.ts";
export { connectWithin } from "./connect-within.ts";
export { type AskedStatement, type FoldedRow, foldStatements } from "./folded-statement.ts";
export { GatheredReads, type GatheredReadsOptions } from "./gathered-reads.ts";
export { PreparedStatements } from "./prepared-statements.ts";
export { type SessionState, Sessions } from "./sessions.ts";
export { sqlStateOf } from "./sql-state.ts";
