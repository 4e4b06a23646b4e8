import type { DatabaseSync } from "node:sqlite";
import { migrate } from "./migrations.ts";
import { makePrivate } from "./private-file.ts";
import { sqlite } from "./sqlite-module.ts";

/**
 * Opens the connection that writes, and brings the file to the newest schema. The file is its owner's alone.
 *
 * Pages of 4 KiB: a commit writes every page it touches twice, so that larger ones cost batches up to three times as much
 * (measured at 150,000 memories), and point reads twice.
 * WAL with `synchronous = FULL` makes each COMMIT wait for the disk; `secure_delete` overwrites what is deleted.
 */
export function openForWriting(path: string): DatabaseSync {
  makePrivate(path);
  const database = new sqlite.DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
  try {
    database.exec(`
      PRAGMA page_size = 4096;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -32768;
      PRAGMA wal_autocheckpoint = 4096;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA trusted_schema = OFF;
    `);
    migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a connection that can only read. It never waits for the writer: in WAL mode readers see the last commit.
 *
 * A cache of 48 MiB holds the inner pages of the trees of 230,000 memories: a memory or vector that is read for the first
 * time costs a sixth less than with 16 MiB. It fills as pages are read.
 */
export function openForReading(path: string): DatabaseSync {
  return openReader(path, 49_152);
}

/**
 * Opens a connection that reads what there is of every tenant, once: what is unfinished, and whom it belongs to. With a cache
 * of its own, and a small one, it does not fill that of the calls with pages that nobody asks for.
 */
export function openForLookingOver(path: string): DatabaseSync {
  return openReader(path, 2_048);
}

function openReader(path: string, cacheKibibytes: number): DatabaseSync {
  const database = new sqlite.DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    database.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKibibytes}; PRAGMA trusted_schema = OFF`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
