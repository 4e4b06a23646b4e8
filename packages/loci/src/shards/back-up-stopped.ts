import { resolve } from "node:path";
import type { EncryptionKeys } from "@loci/encryption";
import { backUpDirectory } from "../backup.ts";
import { readErasures } from "../erasures.ts";
import { type DirectoryDivision, readDivision } from "./directory-division.ts";
import { beginDividedBackup, endDividedBackup, shardBackup } from "./divided-backup.ts";
import { openStoppedShards } from "./stopped-shards.ts";

export interface BackUpStoppedOptions {
  readonly dataDirectory: string;
  /** A new or empty directory. */
  readonly target: string;
  /** Of the ledger, where it is encrypted. */
  readonly encryption?: EncryptionKeys | undefined;
  readonly signal: AbortSignal;
}

/**
 * Backs up every shard of a divided directory that nobody serves.
 *
 * @returns how it is divided; `undefined`, and nothing is done, for a directory that is whole
 * @throws LociError `DATA_DIRECTORY_LOCKED` while any shard is open; `INVALID_REQUEST` for the target; `DISK_FULL`
 */
export async function backUpStopped(options: BackUpStoppedOptions): Promise<DirectoryDivision | undefined> {
  const { dataDirectory, encryption, signal } = options;
  const division = readDivision(dataDirectory);
  if (division === undefined) return undefined;
  const target = resolve(options.target);
  await using stopped = await openStoppedShards(dataDirectory, division.shards, encryption);
  await beginDividedBackup(target);
  for (const [shard, { directory, ledger }] of stopped.opened.entries())
    await backUpDirectory(directory, shardBackup(target, shard), readErasures(ledger), {
      signal,
      onProgress: () => undefined,
    });
  endDividedBackup(target, division);
  return division;
}
