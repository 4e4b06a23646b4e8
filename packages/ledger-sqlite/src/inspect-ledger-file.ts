import type { DatabaseSync } from "node:sqlite";
import { type Instant, LociError } from "@loci/domain";
import { blockFamily, editFamily } from "@loci/ledger";
import { type CheckedRow, damageOfEntry } from "@loci/ledger/sql";
import { openForReading } from "./connection.ts";
import { keysOfFile } from "./encryption/file-keys.ts";
import { migrations, versionOf } from "./migrations.ts";
import { toLociError } from "./sqlite-error.ts";

/** What a ledger's file says of itself, to somebody who only looks. */
export interface LedgerFileFacts {
  /** Of its schema. One that is older than `newestVersion` is brought to it when the ledger is opened. */
  readonly version: number;
  /** The newest that this version of Loci knows. */
  readonly newestVersion: number;
  readonly tenants: number;
  /** When the newest change was recorded. Absent without any. */
  readonly newestChange?: Instant | undefined;
  /** How many changes of memories the followers of the log have not acknowledged. Empty for a file of an older version. */
  readonly lags: readonly { readonly projection: string; readonly changes: number }[];
  /** What happened to blocks and edits, and git mirrors have not acknowledged: also where none are kept. Absent: nothing. */
  readonly unmirrored?: { readonly changes: number; readonly since: Instant } | undefined;
  /**
   * Whether it was read through: pages and entries of indexes are in order, and every version of a memory has the text that was
   * written. Vectors have nothing to compare them with, and what is encrypted cannot be compared here. False: the file is larger
   * than was asked to be read.
   */
  readonly isRead: boolean;
  /** The ids of the keys that anything in it may be encrypted with. Empty: nothing is. */
  readonly keyIds: readonly string[];
}

/**
 * Looks at a ledger's file without changing anything, also while another process has it open.
 *
 * @param mostBytes of a file that is read through to find damage
 * @throws LociError `DATA_DIRECTORY_CORRUPT`, `DATA_DIRECTORY_TOO_NEW`, `INVALID_CONFIGURATION` when it cannot be read
 */
export function inspectLedgerFile(path: string, mostBytes: number): LedgerFileFacts {
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(path);
    const version = versionOf(database, path);
    const newestVersion = migrations.length;
    const isRead = sizeOf(database) <= mostBytes;
    if (isRead) checkPages(database, path);
    if (isRead && version === newestVersion) checkEntries(database, path);
    if (version === 0) return { version, newestVersion, tenants: 0, lags: [], isRead, keyIds: [] };
    const { tenants, newest } = database
      .prepare("SELECT count(*) AS tenants, max(recorded_at) AS newest FROM tenants")
      .get() as { tenants: number; newest: number | null };
    return {
      version,
      newestVersion,
      tenants,
      ...(newest === null || newest === 0 ? {} : { newestChange: newest }),
      lags: version === newestVersion ? lagsOf(database) : [],
      unmirrored: version === newestVersion ? unmirroredIn(database) : undefined,
      isRead,
      keyIds: version === newestVersion ? keysOfFile(database) : [],
    };
  } catch (error) {
    throw toLociError(error, path);
  } finally {
    database?.close();
  }
}

function sizeOf(database: DatabaseSync): number {
  const { bytes } = database
    .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get() as { bytes: number };
  return bytes;
}

/** @throws LociError `DATA_DIRECTORY_CORRUPT`, which quotes no row: SQLite names pages and indexes */
function checkPages(database: DatabaseSync, path: string): void {
  const found = database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"];
  if (found === "ok") return;
  throw damaged(path, String(found));
}

/**
 * A bit that was flipped in a text leaves the page in order: SQLite keeps no checksums, the log does.
 *
 * @throws LociError `DATA_DIRECTORY_CORRUPT`, which quotes no text
 */
function checkEntries(database: DatabaseSync, path: string): void {
  const rows = database
    .prepare("SELECT sequence, family, type, ref, version, content_hash, record FROM changes")
    .iterate() as Iterable<CheckedRow>;
  for (const row of rows) {
    const found = damageOfEntry(row);
    if (found === undefined) continue;
    const { sequence, family, ref, version, damage } = found;
    const problem =
      damage === "text"
        ? `version ${version} of the memory ${ref} does not have the text that was written (entry ${sequence} of the log)`
        : `entry ${sequence} of the log, of the ${family} ${ref}, does not hold what was written`;
    throw damaged(path, problem, "`loci verify` names everything that is damaged so, and what to do.");
  }
}

function damaged(
  path: string,
  problem: string,
  advice = "Stop everything that uses the directory, keep a copy of it, and restore the last backup.",
): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `${path} is damaged: ${problem}.`,
    resource: path,
    advice,
  });
}

/** Entries of other families do not concern the indexes of memories, and nobody moves them over those for their own sake. */
function lagsOf(database: DatabaseSync): LedgerFileFacts["lags"] {
  const rows = database
    .prepare(
      `SELECT projection, sum((SELECT count(*) FROM changes
           WHERE changes.tenant = projections.tenant AND family = 'memories' AND sequence > acknowledged)) AS changes
         FROM projections WHERE projection LIKE 'vectors:%' OR projection LIKE 'text:%' GROUP BY projection ORDER BY projection`,
    )
    .all() as { projection: string; changes: number }[];
  return rows.map(({ projection, changes }) => ({ projection, changes }));
}

function unmirroredIn(database: DatabaseSync): LedgerFileFacts["unmirrored"] {
  const { changes, since } = database
    .prepare(
      `SELECT count(*) AS changes, min(changes.recorded_at) AS since FROM tenants
         LEFT JOIN projections ON projections.tenant = tenants.id AND projection = 'gitMirrors'
         CROSS JOIN changes ON changes.tenant = tenants.id AND family IN ('${blockFamily}', '${editFamily}')
           AND sequence > coalesce(acknowledged, 0)`,
    )
    .get() as { changes: number; since: number | null };
  return since === null ? undefined : { changes, since };
}
