import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LociError } from "@loci/domain";
import { acquireDirectoryLock, openSqliteLedger } from "@loci/ledger-sqlite";
import { ledgerName } from "../backup.ts";
import { checkRestored } from "../restore-backup.ts";
import { type DirectoryDivision, divisionFile, mostShards, readDivision } from "./directory-division.ts";

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
    advice: `Serve it with --workers ${division.shards} (workers = ${division.shards}).`,
  });
}

async function divide(dataDirectory: string, shards: number): Promise<DirectoryDivision> {
  const lock = acquireDirectoryLock(dataDirectory);
  try {
    // Another process may have divided it since.
    const known = readDivision(dataDirectory);
    if (known !== undefined) return known;
    checkRestored(dataDirectory);
    const tenantsOfShard0: string[] = [];
    if (existsSync(join(dataDirectory, ledgerName))) {
      const ledger = await openSqliteLedger({ directory: dataDirectory, lock });
      try {
        tenantsOfShard0.push(...(await ledger.tenants()));
      } finally {
        await ledger.close();
      }
    }
    const division: DirectoryDivision = { format: 1, shards, tenantsOfShard0 };
    writeDivision(dataDirectory, division);
    return division;
  } finally {
    lock.release();
  }
}

/** All of it or nothing, also when the power fails. */
function writeDivision(dataDirectory: string, division: DirectoryDivision): void {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const path = divisionFile(dataDirectory);
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(division)}\n`, { mode: 0o600, flag: "wx", flush: true });
  renameSync(draft, path);
  const folder = openSync(dataDirectory, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
