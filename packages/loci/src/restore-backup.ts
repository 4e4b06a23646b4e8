import { existsSync } from "node:fs";
import { copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { LociError } from "@loci/domain";
import type { EncryptionKeys } from "@loci/encryption";
import { forgetLedgerIdentity, projectionNamesOf, readIndexRecord } from "@loci/engine";
import { acquireDirectoryLock, openSqliteLedger } from "@loci/ledger-sqlite";
import { checkBackup, ledgerName, makeEmptyDirectory } from "./backup.ts";
import { type Erasure, replayErasures } from "./erasures.ts";
import { refuseFile } from "./file-error.ts";
import { readDivision } from "./shards/directory-division.ts";
import { restoreDivided, restoringShards } from "./shards/divided-backup.ts";

export interface RestoreBackupOptions {
  /** What `backup` wrote. */
  readonly from: string;
  /** A new or empty data directory. */
  readonly dataDirectory: string;
  /** What was forgotten and erased since the backup. Without it those memories are back. */
  readonly erasures?: AsyncIterable<Erasure> | Iterable<Erasure> | undefined;
  /** Of the ledger, where it is encrypted. */
  readonly encryption?: EncryptionKeys | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a restore came to. */
export interface RestoredBackup {
  /** When the backup was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Memories of the backup that were forgotten or erased again. */
  readonly erased: number;
}

/** Where a restore works until it is done: a ledger that still holds what was erased must not be opened. */
const workName = "restoring";
/** What a restore that was killed leaves in its directory. */
const leftOver = new RegExp(String.raw`^(?:${workName}|lock\.sqlite|owner\.json(?:\.\d+)?)$`);
/** What is there besides when the other shards are restored already. */
const leftOverOrShards = new RegExp(String.raw`${leftOver.source}|^(?:shards|restoring-shards)$`);

/**
 * Makes a data directory of a backup, divided as it was when it was backed up. The indexes are made from the ledger when it is opened. When anything fails the
 * directory is left empty; after a restore that was killed it is refused until another one has come to its end.
 *
 * @throws LociError `FILE_NOT_FOUND`, `DATA_DIRECTORY_CORRUPT` for the backup; `ENCRYPTION_KEY_MISSING` without the keys of its ledger; `INVALID_REQUEST` for a directory in use
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoredBackup> {
  const { dataDirectory, erasures = [], encryption, signal } = options;
  const from = resolve(options.from);
  const division = readDivision(from);
  if (division === undefined) return restoreWhole({ ...options, from, erasures }, leftOver);
  const all: Erasure[] = [];
  for await (const erasure of erasures) all.push(erasure);
  return restoreDivided({ from, dataDirectory, division }, (shardFrom, directory) =>
    restoreWhole({ from: shardFrom, dataDirectory: directory, erasures: all, encryption, signal }, leftOverOrShards),
  );
}

/** @param besides what may be in the directory */
async function restoreWhole(
  {
    from,
    dataDirectory,
    erasures,
    encryption,
    signal,
  }: RestoreBackupOptions & Required<Pick<RestoreBackupOptions, "erasures">>,
  besides: RegExp,
): Promise<RestoredBackup> {
  const directory = resolve(dataDirectory);
  const { createdAt } = await checkBackup(from, signal);
  await makeEmptyDirectory(directory, besides);
  const lock = acquireDirectoryLock(directory);
  const work = join(directory, workName);
  let isRestored = false;
  try {
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { mode: 0o700 });
    const copy = join(work, ledgerName);
    await copyDurably(join(from, ledgerName), copy).catch((error: unknown) => refuseFile(copy, error));
    const erased = await prepareLedger(work, erasures ?? [], encryption);
    await rename(copy, join(directory, ledgerName));
    isRestored = true;
    return { createdAt, erased };
  } finally {
    await rm(work, { recursive: true, force: true });
    lock.release();
    if (!isRestored) await rm(join(directory, "lock.sqlite"), { force: true });
  }
}

/** @throws LociError `DATA_DIRECTORY_CORRUPT` for a directory whose restore was killed */
export function checkRestored(directory: string): void {
  const isWhole = existsSync(join(directory, ledgerName)) || !existsSync(join(directory, workName));
  if (isWhole && !existsSync(restoringShards(directory))) return;
  throw new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `A backup was being restored into ${directory}, and that did not come to its end.`,
    resource: directory,
    advice: "Restore it again, into the same directory.",
  });
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** @returns how many memories were forgotten or erased again */
async function prepareLedger(
  directory: string,
  erasures: AsyncIterable<Erasure> | Iterable<Erasure>,
  encryption: EncryptionKeys | undefined,
): Promise<number> {
  const ledger = await openSqliteLedger({ directory, encryption });
  try {
    const erased = await replayErasures(ledger, erasures);
    const record = await readIndexRecord(ledger);
    // What the indexes had acknowledged when the backup was made says nothing about those that are made now.
    for (const name of record === undefined ? [] : projectionNamesOf(record)) await ledger.resetProjection(name);
    await forgetLedgerIdentity(ledger);
    if (erased > 0) await ledger.maintain({ scrub: true });
    return erased;
  } finally {
    await ledger.close();
  }
}
