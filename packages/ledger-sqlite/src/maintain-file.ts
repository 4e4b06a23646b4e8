import type { DatabaseSync } from "node:sqlite";
import { LociError } from "@loci/domain";
import { prepareQuery } from "./query.ts";
import { sqlite } from "./sqlite-module.ts";

/** Above this share of free pages the file is made anew. */
const wastefulShare = 0.25;
const checkpointAttempts = 50;
const checkpointPause = 20;

/**
 * Writes the log file back and empties it; makes the file anew when much of it is free, or when no deleted byte may be
 * left: `secure_delete` overwrites rows as they are deleted, and a new file is written from its rows alone, so that there is
 * nothing to rely on.
 *
 * @returns the bytes given back
 * @throws LociError `STORE_UNAVAILABLE` when somebody keeps reading an old state of the file, so that the log must stay
 */
export function maintainFile(database: DatabaseSync, path: string, scrub: boolean): number {
  const number = (pragma: string): number =>
    Object.values(prepareQuery<Record<string, number>>(database, `PRAGMA ${pragma}`).get() ?? {})[0] ?? 0;
  const size = (): number => number("page_count") * number("page_size");
  const before = size();
  if (scrub || number("freelist_count") > wastefulShare * number("page_count")) {
    writeAnew(path);
  }
  database.exec("PRAGMA optimize");
  emptyLog(database);
  return Math.max(0, before - size());
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

/** @throws LociError `STORE_UNAVAILABLE` when somebody keeps reading an old state of the file */
export function emptyLog(database: DatabaseSync): void {
  const checkpoint = prepareQuery<{ busy: number }>(database, "PRAGMA wal_checkpoint(TRUNCATE)");
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 0; attempt < checkpointAttempts; attempt++) {
    if (checkpoint.get()?.busy === 0) return;
    Atomics.wait(waiting, 0, 0, checkpointPause);
  }
  throw new LociError("STORE_UNAVAILABLE", {
    message: "The ledger's log could not be emptied: another program is reading an old state of it.",
    advice: "Close database browsers and backups of the file, then repeat the call.",
  });
}
