import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ownerOf } from "./directory-lock.ts";
import { toLockError } from "./lock-error.ts";
import { isHeld } from "./sqlite-error.ts";
import { sqlite } from "./sqlite-module.ts";

/** Who has a data directory open. */
export interface DirectoryOwner {
  /** Whether somebody has it open now. The operating system knows, whatever a process that died has left. */
  readonly isOpen: boolean;
  /** Who says to be the owner, in a note that a process which is killed leaves behind. */
  readonly pid?: number | undefined;
}

/**
 * Looks who has a data directory open, without becoming its owner. Not for the process that may have it open itself.
 *
 * @throws LociError `INVALID_CONFIGURATION` when the lock's file cannot be read, `DATA_DIRECTORY_CORRUPT` when it is none
 */
export function directoryOwner(directory: string): DirectoryOwner {
  const path = join(directory, "lock.sqlite");
  const pid = ownerOf(directory);
  if (!existsSync(path)) return { isOpen: false, pid };
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path, { readOnly: true, timeout: 0 });
    // The owner's transaction lets nobody read.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return { isOpen: false, pid };
  } catch (error) {
    if (isHeld(error)) return { isOpen: true, pid };
    throw toLockError(error, path);
  } finally {
    database?.close();
  }
}
