import type { MaintenanceCall } from "../calls/maintenance-call.ts";

/** Copies the ledger into a directory, consistent as of one moment. */
export type BackupLedger = (directory: string, call: MaintenanceCall) => Promise<{ readonly bytes: number }>;

/** Removes what a deployment keeps of texts beside ledger and indexes. @returns where bytes may still be */
export type ScrubFiles = () => Promise<readonly string[]>;
