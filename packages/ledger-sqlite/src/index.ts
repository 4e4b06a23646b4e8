export { backupSqliteLedger } from "./backup-sqlite-ledger.ts";
export { acquireDirectoryLock, type DirectoryLock } from "./directory-lock.ts";
export { openSqliteLedger, type SqliteLedgerOptions } from "./open-sqlite-ledger.ts";
