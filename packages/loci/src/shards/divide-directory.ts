import { existsSync } from "node:fs";
import { join } from "node:path";
import { LociError } from "@loci/domain";
import { acquireDirectoryLock, openSqliteLedger } from "@loci/ledger-sqlite";
import { ledgerName } from "../backup.ts";
import { checkRestored } from "../restore-backup.ts";
import { type DirectoryDivision, divisionFile, mostShards, readDivision } from "./directory-division.ts";
import { rendezvousShard } from "./tenant-shard.ts";
import { writeDivision } from "./write-division.ts";

/**
 * Divides a data directory for so many processes, or looks how it was divided. The tenants that are in it stay in shard 0; those
 * that come later are spread over all shards.
 *
 * @throws LociError `INVALID_CONFIGURATION` when it is divided into another number of shards; `DATA_DIRECTORY_LOCKED` when it is to
 *   be divided while it is open; what opening its ledger throws
 */
export async function divideDirectory(dataDirectory: string, shards: number): Promise<DirectoryDivision> {
  if (!Number.isInteger(shards) || shards < 2 || shards > mostShards)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `A data directory cannot be divided into ${shards} shards.`,
      field: "shards",
      advice: `Use 2 to ${mostShards}.`,
    });
  return checked(readDivision(dataDirectory) ?? (await divide(dataDirectory, shards)), dataDirectory, shards);
}

function checked(division: DirectoryDivision, dataDirectory: string, shards: number): DirectoryDivision {
  if (division.shards === shards) return division;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${dataDirectory} is divided into ${division.shards} shards, and cannot be served by ${shards} workers.`,
    field: "workers",
    resource: divisionFile(dataDirectory),
    advice: `Serve it with --workers ${division.shards} (workers = ${division.shards}), or divide it anew: \`loci shards divide ${shards}\`.`,
  });
}

async function divide(dataDirectory: string, shards: number): Promise<DirectoryDivision> {
  const lock = acquireDirectoryLock(dataDirectory);
  try {
    // Another process may have divided it since.
    const known = readDivision(dataDirectory);
    if (known !== undefined) return known;
    checkRestored(dataDirectory);
    const tenants: string[] = [];
    if (existsSync(join(dataDirectory, ledgerName))) {
      const ledger = await openSqliteLedger({ directory: dataDirectory, lock });
      try {
        tenants.push(...(await ledger.tenants()));
      } finally {
        await ledger.close();
      }
    }
    const placed = new Map(
      tenants.filter((tenant) => rendezvousShard(tenant, shards) !== 0).map((tenant) => [tenant, 0]),
    );
    const division: DirectoryDivision = { shards, placed, leftovers: [] };
    writeDivision(dataDirectory, division);
    return division;
  } finally {
    lock.release();
  }
}
