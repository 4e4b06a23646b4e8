import { mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ledgerName, makeEmptyDirectory } from "../backup.ts";
import { type DirectoryDivision, shardDirectory } from "./directory-division.ts";
import { writeDivision } from "./write-division.ts";

/** Where the backup of one shard is in that of a divided directory. */
export function shardBackup(target: string, shard: number): string {
  return join(target, String(shard));
}

/**
 * Makes the directory for a backup of every shard, each in a directory of its own in it.
 *
 * @throws LociError `INVALID_REQUEST` when it is not new or empty
 */
export async function beginDividedBackup(target: string): Promise<void> {
  await makeEmptyDirectory(target);
}

/** Completes it: says which tenants are in which shard. Without that it is no backup. */
export function endDividedBackup(target: string, division: DirectoryDivision): void {
  // What is to be removed was backed up with the rest, and is removed where it is restored.
  writeDivision(target, division);
}

/** Says that shards are being restored into a directory: until it is gone the directory is refused. */
export function restoringShards(dataDirectory: string): string {
  return join(dataDirectory, "restoring-shards");
}

/** What restoring one shard came to. */
interface RestoredShard {
  readonly createdAt: number;
  readonly erased: number;
}

export interface RestoreDivided {
  readonly from: string;
  /** New or empty. */
  readonly dataDirectory: string;
  readonly division: DirectoryDivision;
}

/**
 * Makes a divided data directory of the backup of one. When anything fails nothing is left of it.
 *
 * @param restoreShard restores the backup of one shard into its directory
 * @returns when the first of the shards was backed up, and how many memories were forgotten or erased again
 */
export async function restoreDivided(
  { from, dataDirectory, division }: RestoreDivided,
  restoreShard: (from: string, directory: string) => Promise<RestoredShard>,
): Promise<RestoredShard> {
  const directory = resolve(dataDirectory);
  const mark = restoringShards(directory);
  // What one that was killed has left.
  if (existsSync(mark)) await removeShards(directory);
  await makeEmptyDirectory(directory, /^(?:restoring-shards|lock\.sqlite|owner\.json(?:\.\d+)?)$/);
  await mkdir(mark, { recursive: true, mode: 0o700 });
  let isRestored = false;
  try {
    const restored: RestoredShard[] = [];
    for (let shard = division.shards - 1; shard >= 0; shard--)
      restored.push(await restoreShard(shardBackup(from, shard), shardDirectory(directory, shard)));
    writeDivision(directory, division);
    isRestored = true;
    return {
      createdAt: Math.min(...restored.map(({ createdAt }) => createdAt)),
      erased: restored.reduce((sum, { erased }) => sum + erased, 0),
    };
  } finally {
    if (!isRestored) await removeShards(directory);
    await rm(mark, { recursive: true, force: true });
  }
}

async function removeShards(directory: string): Promise<void> {
  const ledger = ["", "-wal", "-shm"].map((ending) => `${ledgerName}${ending}`);
  for (const name of [...ledger, "shards.json", "shards", "lock.sqlite", "owner.json", "restoring"])
    await rm(join(directory, name), { recursive: true, force: true });
}
