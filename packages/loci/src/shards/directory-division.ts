import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LociError } from "@loci/domain";
import { saysTooManyFiles, tooManyFiles } from "@loci/ledger-sqlite";
import { rendezvousShard } from "./tenant-shard.ts";

/** How a data directory is divided among processes: each shard is a data directory of its own, open in one of them. */
export interface DirectoryDivision {
  readonly format: 1;
  /** How many shards there are, at least 2. */
  readonly shards: number;
  /** Tenants that had data when the directory was divided: they stay in shard 0. */
  readonly tenantsOfShard0: readonly string[];
}

export const mostShards = 64;

/** The shard that holds a tenant's data, whether it has any yet or not. */
export function tenantShards({ shards, tenantsOfShard0 }: DirectoryDivision): (tenant: string) => number {
  const stayed = new Set(tenantsOfShard0);
  return (tenant) => (stayed.has(tenant) ? 0 : rendezvousShard(tenant, shards));
}

/** Where a shard is. The first is the data directory itself, so that what it held before it was divided stays in place. */
export function shardDirectory(dataDirectory: string, shard: number): string {
  return shard === 0 ? dataDirectory : join(dataDirectory, "shards", String(shard));
}

export function divisionFile(dataDirectory: string): string {
  return join(dataDirectory, "shards.json");
}

/**
 * How a data directory is divided, or `undefined` for one that is not.
 *
 * @throws LociError `DATA_DIRECTORY_CORRUPT`, `DATA_DIRECTORY_TOO_NEW`
 */
export function readDivision(dataDirectory: string): DirectoryDivision | undefined {
  const path = divisionFile(dataDirectory);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));
    if (isMissing) return undefined;
    if (saysTooManyFiles(error)) throw tooManyFiles(path, error);
    throw unreadable(path, error);
  }
  const division = parsed(path, text);
  if (typeof division?.format === "number" && division.format > 1)
    throw new LociError("DATA_DIRECTORY_TOO_NEW", {
      message: `${path} has a format that this version of Loci does not know.`,
      resource: path,
      advice: "Open the directory with the version that wrote it, or a newer one.",
    });
  if (isDivision(division)) return division;
  throw unreadable(path, undefined);
}

function parsed(path: string, text: string): Partial<Record<keyof DirectoryDivision, unknown>> | null {
  try {
    return JSON.parse(text) as Partial<Record<keyof DirectoryDivision, unknown>> | null;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function isDivision(given: Partial<Record<keyof DirectoryDivision, unknown>> | null): given is DirectoryDivision {
  if (typeof given !== "object" || given === null || given.format !== 1) return false;
  const { shards, tenantsOfShard0 } = given;
  const isCount = Number.isInteger(shards) && (shards as number) >= 2 && (shards as number) <= mostShards;
  return isCount && Array.isArray(tenantsOfShard0) && tenantsOfShard0.every((tenant) => typeof tenant === "string");
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
