import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { LociError } from "@loci/domain";
import type { EncryptionKeys } from "@loci/encryption";
import { acquireDirectoryLock, openSqliteLedger } from "@loci/ledger-sqlite";
import { ledgerName } from "../backup.ts";
import { checkRestored } from "../restore-backup.ts";
import {
  type DirectoryDivision,
  divisionFile,
  mostShards,
  readDivision,
  shardDirectory,
} from "./directory-division.ts";
import { rendezvousShard } from "./tenant-shard.ts";
import { writeDivision } from "./write-division.ts";

/**
 * Divides a data directory for so many processes, or looks how it was divided. The tenants that are in it stay in shard 0; those
 * that come later are spread over all shards.
 *
 * @throws LociError `INVALID_CONFIGURATION` when it is divided into another number of shards; `DATA_DIRECTORY_MISSING` when one of
 *   them is not there; `DATA_DIRECTORY_LOCKED` when it is to be divided while it is open; what opening its ledger throws
 */
export async function divideDirectory(
  dataDirectory: string,
  shards: number,
  encryption?: EncryptionKeys,
): Promise<DirectoryDivision> {
  if (!Number.isInteger(shards) || shards < 2 || shards > mostShards)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `A data directory cannot be divided into ${shards} shards.`,
      field: "shards",
      advice: `Use 2 to ${mostShards}.`,
    });
  return checked(
    readDivision(dataDirectory) ?? (await divide(dataDirectory, shards, encryption)),
    dataDirectory,
    shards,
  );
}

function checked(division: DirectoryDivision, dataDirectory: string, shards: number): DirectoryDivision {
  if (division.shards === shards) {
    checkShardsAreThere(dataDirectory, shards);
    return division;
  }
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${dataDirectory} is divided into ${division.shards} shards, and cannot be served by ${shards} workers.`,
    field: "workers",
    resource: divisionFile(dataDirectory),
    advice: `Serve it with --workers ${division.shards} (workers = ${division.shards}), or divide it anew: \`loci shards divide ${shards}\`.`,
  });
}

async function divide(
  dataDirectory: string,
  shards: number,
  encryption: EncryptionKeys | undefined,
): Promise<DirectoryDivision> {
  const lock = acquireDirectoryLock(dataDirectory);
  try {
    // Another process may have divided it since.
    const known = readDivision(dataDirectory);
    if (known !== undefined) return known;
    checkRestored(dataDirectory);
    const tenants: string[] = [];
    if (existsSync(join(dataDirectory, ledgerName))) {
      const ledger = await openSqliteLedger({ directory: dataDirectory, lock, encryption });
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
    // From the moment that it is written down each is there: one that is not has been lost.
    for (let shard = 1; shard < shards; shard++)
      mkdirSync(shardDirectory(dataDirectory, shard), { recursive: true, mode: 0o700 });
    writeDivision(dataDirectory, division);
    return division;
  } finally {
    lock.release();
  }
}

/** An empty one in the place of one that was lost would seem to be in order, and its tenants to have nothing. */
function checkShardsAreThere(dataDirectory: string, shards: number): void {
  for (let shard = 1; shard < shards; shard++) {
    const directory = shardDirectory(dataDirectory, shard);
    if (existsSync(directory)) continue;
    throw new LociError("DATA_DIRECTORY_MISSING", {
      message: `${directory}, which is shard ${shard} of ${dataDirectory}, is not there.`,
      resource: directory,
      advice: "Put it back, or restore a backup of all shards into a new directory.",
    });
  }
}
