import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LociError } from "@loci/domain";
import { saysTooManyFiles, tooManyFiles } from "@loci/ledger-sqlite";
import { type DivisionNote, type Leftover, noteOf, parseNote } from "./division-note.ts";
import { rendezvousShard } from "./tenant-shard.ts";

/** How a data directory is divided among processes: each shard is a data directory of its own, open in one of them. */
export interface DirectoryDivision {
  /** How many shards there are, at least 2. */
  readonly shards: number;
  /** Tenants that are elsewhere than their names say: those that were there before it was divided, and those that were moved. */
  readonly placed: ReadonlyMap<string, number>;
  /** What is to be removed before the shard's next tenant comes. */
  readonly leftovers: readonly Leftover[];
}

export const mostShards = 64;

/** The shard that holds a tenant's data, whether it has any yet or not. */
export function tenantShards({ shards, placed }: DirectoryDivision): (tenant: string) => number {
  return (tenant) => placed.get(tenant) ?? rendezvousShard(tenant, shards);
}

/** Where a shard is. The first is the data directory itself, so that what it held before it was divided stays in place. */
export function shardDirectory(dataDirectory: string, shard: number): string {
  return shard === 0 ? dataDirectory : join(dataDirectory, shardsFolder, String(shard));
}

const shardsFolder = "shards";

export function divisionFile(dataDirectory: string): string {
  return join(dataDirectory, "shards.json");
}

/** A directory that is one of the shards of another, or of itself. */
export interface ShardOfDirectory {
  /** Where `shards.json` is. */
  readonly dataDirectory: string;
  readonly division: DirectoryDivision;
  readonly shard: number;
}

/**
 * Which shard of what a directory is; `undefined` for one that is whole.
 *
 * @throws LociError as `readDivision` does
 */
export function shardOfDirectory(directory: string): ShardOfDirectory | undefined {
  const own = readDivision(directory);
  if (own !== undefined) return { dataDirectory: directory, division: own, shard: 0 };
  const folder = dirname(directory);
  const shard = Number(basename(directory));
  if (basename(folder) !== shardsFolder || !Number.isInteger(shard) || shard < 1) return undefined;
  const dataDirectory = dirname(folder);
  const division = readDivision(dataDirectory);
  return division === undefined ? undefined : { dataDirectory, division, shard };
}

/**
 * How a data directory is divided, or `undefined` for one that is not.
 *
 * @throws LociError `DATA_DIRECTORY_CORRUPT`, `DATA_DIRECTORY_TOO_NEW`, `INVALID_CONFIGURATION` when this user may not read it
 */
export function readDivision(dataDirectory: string): DirectoryDivision | undefined {
  const path = divisionFile(dataDirectory);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (["ENOENT", "ENOTDIR"].includes(code)) return undefined;
    if (["EACCES", "EPERM"].includes(code)) throw notPermitted(path, error);
    if (saysTooManyFiles(error)) throw tooManyFiles(path, error);
    throw unreadable(path, error);
  }
  let note: DivisionNote | "newer" | undefined;
  try {
    note = parseNote(text, mostShards);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  if (note === undefined) throw unreadable(path, undefined);
  if (note !== "newer") return divisionOf(note);
  throw new LociError("DATA_DIRECTORY_TOO_NEW", {
    message: `${path} has a format that this version of Loci does not know.`,
    resource: path,
    advice: "Open the directory with the version that wrote it, or a newer one.",
  });
}

/** The text of `shards.json`. */
export function formatDivision({ shards, placed, leftovers }: DirectoryDivision): string {
  return `${JSON.stringify(noteOf(shards, placed, leftovers))}\n`;
}

function divisionOf({ shards, placed, leftovers }: DivisionNote): DirectoryDivision {
  const shardOf = new Map(placed.flatMap((tenants, shard) => tenants.map((tenant) => [tenant, shard] as const)));
  return { shards, placed: shardOf, leftovers };
}

/** The file is not damaged, and whether there is one is not known: somebody else's directory, most often a server's. */
function notPermitted(path: string, cause: unknown): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${dirname(path)} may not be read by this user.`,
    resource: path,
    advice: "Run the command as the user that the directory belongs to, or give it to this one (chown -R).",
    cause,
  });
}

/** Never taken for a directory that is not divided: its tenants would be looked for in the wrong place. */
function unreadable(path: string, cause: unknown): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `${path}, which says where each tenant's data is, cannot be read.`,
    resource: path,
    advice: "Put it back from a copy. Without it nobody knows which tenants are in which shard.",
    cause,
  });
}
