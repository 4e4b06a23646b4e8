import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LociError, tenantId, throwIfAborted } from "@loci/domain";
import type { EncryptionKeys } from "@loci/encryption";
import { carrySettings } from "@loci/engine";
import { tenantsInFile } from "@loci/ledger-sqlite";
import { ledgerName } from "../backup.ts";
import {
  type DirectoryDivision,
  mostShards,
  readDivision,
  shardDirectory,
  tenantShards,
} from "./directory-division.ts";
import { beginMoves, decideMoves, leftoversOf, type TenantMove } from "./division-changes.ts";
import type { Leftover } from "./division-note.ts";
import { copyStopped } from "./move-stopped.ts";
import { openStoppedShards, type StoppedShard } from "./stopped-shards.ts";
import { removeRows } from "./tenant-moves.ts";
import { rendezvousShard } from "./tenant-shard.ts";
import { removeDivision, writeDivision } from "./write-division.ts";

export interface DivideAnewOptions {
  readonly dataDirectory: string;
  /** How many there are to be: 1 makes the directory whole again. */
  readonly shards: number;
  /** Of the ledger, where it is encrypted. */
  readonly encryption?: EncryptionKeys | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told after each tenant that was copied, or removed where it was. */
  readonly onProgress?: ((progress: DividingProgress) => void) | undefined;
}

/** How far dividing is. */
export interface DividingProgress {
  /** `removing`: what an earlier try has left, and what those that were copied leave. */
  readonly doing: "copying" | "removing";
  readonly done: number;
  readonly total: number;
}

/** What dividing came to. */
export interface DividedDirectory {
  readonly shards: number;
  /** Tenants that are elsewhere than before. */
  readonly moved: number;
}

/** Tenants that are written down together, at least, and so often at most: a note of many tenants is long. */
const leastAtOnce = 100;
const mostTimes = 100;

/**
 * Divides a data directory that nobody serves into another number of shards, and brings each tenant where its name says. Whatever
 * ends it, each tenant is in one shard and the directory can be served as its `shards.json` says; called again, it goes on.
 *
 * @throws LociError `INVALID_REQUEST` for a number that cannot be; `DATA_DIRECTORY_MISSING`; `DATA_DIRECTORY_LOCKED` while any shard
 *   is open; `DISK_FULL`; what the signal is aborted with
 */
export async function divideAnew(options: DivideAnewOptions): Promise<DividedDirectory> {
  const { dataDirectory, shards, signal, onProgress } = options;
  checkShards(shards);
  if (!existsSync(join(dataDirectory, ledgerName)) && readDivision(dataDirectory) === undefined)
    throw new LociError("DATA_DIRECTORY_MISSING", {
      message: `There is no Loci data in ${dataDirectory}.`,
      resource: dataDirectory,
      advice: "Name another directory, as with --data or LOCI_DATA_DIR.",
    });
  const count = Math.max(shards, readDivision(dataDirectory)?.shards ?? 1);
  await using stopped = await openStoppedShards(dataDirectory, count, options.encryption);
  const { opened } = stopped;
  let division = grown(readDivision(dataDirectory), shards, opened);
  const write = (changed: DirectoryDivision): void => {
    // One that has one shard is whole, and says nothing of itself.
    if (changed.shards > 1) writeDivision(dataDirectory, changed);
    division = changed;
  };
  write(division);
  const remove = async (leftovers: readonly Leftover[]): Promise<void> => {
    for (const [index, { tenant, shard }] of leftovers.entries()) {
      await removeRows(opened[shard]?.ledger, tenantId(tenant), { signal, isDeferred: true });
      onProgress?.({ doing: "removing", done: index + 1, total: leftovers.length });
    }
    await settle(leftovers.map(({ shard }) => shard));
  };
  const settle = async (shards: readonly number[]): Promise<void> => {
    for (const shard of new Set(shards)) await opened[shard]?.ledger.settleTenants();
  };
  await remove(opened.flatMap((_, shard) => leftoversOf(division, shard).map((tenant) => ({ tenant, shard }))));
  const shardOf = tenantShards(division);
  const moves = opened.flatMap(({ directory }, from) =>
    tenantsInFile(directory)
      .filter((tenant) => shardOf(tenant) === from)
      .map((tenant): TenantMove => ({ tenant, from, to: rendezvousShard(tenant, shards) }))
      .filter(({ to }) => to !== from),
  );
  const atOnce = Math.max(leastAtOnce, Math.ceil(moves.length / mostTimes));
  for (let start = 0; start < moves.length; start += atOnce) {
    const some = moves.slice(start, start + atOnce);
    throwIfAborted(signal);
    write(beginMoves(division, some));
    // Together they wait for the disk once.
    await Promise.all(
      some.map(({ tenant, from }) => carrySettings((opened[from] as StoppedShard).ledger, tenantId(tenant))),
    );
    for (const [index, { tenant, from, to }] of some.entries()) {
      await copyStopped(tenant, opened[from] as StoppedShard, opened[to] as StoppedShard, signal);
      onProgress?.({ doing: "copying", done: start + index + 1, total: moves.length });
    }
    await settle(some.map(({ to }) => to));
    write(decideMoves(division, some));
    await remove(some.map(({ tenant, from }) => ({ tenant, shard: from })));
  }
  await stopped.close();
  shrink(dataDirectory, division, shards);
  return { shards, moved: moves.length };
}

/** With the shards that are added, which nobody is in yet: everybody is written down where they are. */
function grown(
  known: DirectoryDivision | undefined,
  shards: number,
  opened: readonly StoppedShard[],
): DirectoryDivision {
  if (known !== undefined && known.shards >= shards) return known;
  const { leftovers = [] } = known ?? {};
  const placed = new Map<string, number>();
  for (const [shard, { directory }] of opened.entries()) {
    // What was added before and is not written down has nobody's.
    if (shard >= (known?.shards ?? 1)) continue;
    const gone = new Set(known === undefined ? [] : leftoversOf(known, shard));
    for (const tenant of tenantsInFile(directory))
      if (!gone.has(tenant) && rendezvousShard(tenant, shards) !== shard) placed.set(tenant, shard);
  }
  return { shards, placed, leftovers };
}

/** Without the shards that nobody is in any more. */
function shrink(dataDirectory: string, division: DirectoryDivision, shards: number): void {
  if (shards === division.shards && shards > 1) return;
  const leftovers = division.leftovers.filter(({ shard }) => shard < shards);
  if (shards === 1) removeDivision(dataDirectory);
  else writeDivision(dataDirectory, { shards, placed: new Map(), leftovers });
  for (let shard = shards; shard < division.shards; shard++)
    rmSync(shardDirectory(dataDirectory, shard), { recursive: true, force: true });
}

function checkShards(shards: number): void {
  if (Number.isInteger(shards) && shards >= 1 && shards <= mostShards) return;
  throw new LociError("INVALID_REQUEST", {
    message: `A data directory cannot be divided into ${shards} shards.`,
    field: "shards",
    advice: `Use 2 to ${mostShards}, or 1 for a directory that is whole.`,
  });
}
