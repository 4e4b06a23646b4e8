import { copyFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { forgetLedgerIdentity, projectionNamesOf, readIndexRecord } from "@loci/engine";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { checkBackup, ledgerName, makeEmptyDirectory } from "./backup.ts";
import { type Erasure, replayErasures } from "./erasures.ts";

export interface RestoreBackupOptions {
  /** What `backup` wrote. */
  readonly from: string;
  /** A new or empty data directory. */
  readonly dataDirectory: string;
  /** What was forgotten and erased since the backup. Without it those memories are back. */
  readonly erasures?: AsyncIterable<Erasure> | Iterable<Erasure> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a restore came to. */
export interface RestoredBackup {
  /** When the backup was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Memories of the backup that were forgotten or erased again. */
  readonly erased: number;
}

/**
 * Makes a data directory of a backup. The indexes are made from the ledger when it is opened. When anything fails the
 * directory is left empty.
 *
 * @throws LociError `FILE_NOT_FOUND`, `DATA_DIRECTORY_CORRUPT` for the backup; `INVALID_REQUEST` for a directory in use
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoredBackup> {
  const { from, erasures = [], signal } = options;
  const directory = resolve(options.dataDirectory);
  const { createdAt } = await checkBackup(resolve(from), signal);
  await makeEmptyDirectory(directory);
  try {
    await copyFile(join(resolve(from), ledgerName), join(directory, ledgerName));
    const ledger = await openSqliteLedger({ directory });
    try {
      const erased = await replayErasures(ledger, erasures);
      const record = await readIndexRecord(ledger);
      // What the indexes had acknowledged when the backup was made says nothing about those that are made now.
      for (const name of record === undefined ? [] : projectionNamesOf(record)) await ledger.resetProjection(name);
      await forgetLedgerIdentity(ledger);
      if (erased > 0) await ledger.maintain({ scrub: true });
      return { createdAt, erased };
    } finally {
      await ledger.close();
    }
  } catch (error) {
    for (const name of [ledgerName, `${ledgerName}-wal`, `${ledgerName}-shm`, "lock.sqlite", "owner.json"])
      await rm(join(directory, name), { force: true });
    throw error;
  }
}
