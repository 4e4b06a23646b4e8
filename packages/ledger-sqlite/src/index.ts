export { backupSqliteLedger } from "./backup-sqlite-ledger.ts";
export { acquireDirectoryLock, type DirectoryLock } from "./directory-lock.ts";
export { directoryOwner, type DirectoryOwner } from "./directory-owner.ts";
export { inspectLedgerFile, type LedgerFileFacts } from "./inspect-ledger-file.ts";
export { saysTooManyFiles, tooManyFiles } from "./open-files-limit.ts";
export { openSqliteLedger, type SqliteLedgerOptions } from "./open-sqlite-ledger.ts";
export type { ChangedRows } from "./moving/change-recorder.ts";
export type { MovableLedger } from "./moving/movable-ledger.ts";
export type { MoveResult, MoveStep } from "./moving/move-operation.ts";
