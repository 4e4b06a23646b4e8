import type { DatabaseSync } from "node:sqlite";
import { prepareQuery } from "./query.ts";
import { sqlite } from "./sqlite-module.ts";

/** Above this share of free pages the file is made anew. */
const wastefulShare = 0.25;
/** How long the log waits for those who read an old state, in milliseconds. */
const checkpointPatience = 50;
/** As a connection that writes is opened with. */
const usualPatience = 5_000;

/** What making a file anew and emptying its log came to. */
export interface FileUpkeep {
  /** What was given back. */
  readonly bytes: number;
  /** False while somebody reads an old state of the file. */
  readonly isLogEmpty: boolean;
}

/**
 * Writes the log file back and empties it; makes the file anew when much of it is free, or when no deleted byte may be
 * left: `secure_delete` overwrites rows as they are deleted, and a new file is written from its rows alone, so that there is
 * nothing to rely on.
 */
export function maintainFile(database: DatabaseSync, path: string, scrub: boolean): FileUpkeep {
  const number = (pragma: string): number =>
    Object.values(prepareQuery<Record<string, number>>(database, `PRAGMA ${pragma}`).get() ?? {})[0] ?? 0;
  const size = (): number => number("page_count") * number("page_size");
  const before = size();
  if (scrub || number("freelist_count") > wastefulShare * number("page_count")) writeAnew(path);
  database.exec("PRAGMA optimize");
  const isLogEmpty = emptyLog(database);
  return { bytes: Math.max(0, before - size()), isLogEmpty };
}

/**
 * By a connection of its own, which makes the copy in a file without a name, as it may be larger than memory. Where a connection keeps
 * what is temporary cannot be changed without it losing all that it has: the one that writes notes there what a tenant that is
 * being moved writes.
 */
function writeAnew(path: string): void {
  const database = new sqlite.DatabaseSync(path, { timeout: 5000 });
  try {
    database.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = FILE; VACUUM");
  } finally {
    database.close();
  }
}

/**
 * Writes the log back into the file and empties it, so that nothing that was removed is to be read there. Waits for a moment only:
 * whoever writes the file waits along.
 *
 * @returns false while somebody reads an old state of the file
 */
export function emptyLog(database: DatabaseSync): boolean {
  database.exec(`PRAGMA busy_timeout = ${checkpointPatience}`);
  try {
    return prepareQuery<{ busy: number }>(database, "PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${usualPatience}`);
  }
}
