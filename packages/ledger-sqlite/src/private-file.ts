import { chmodSync, closeSync, openSync } from "node:fs";

const ownerOnly = 0o600;

/**
 * Sees that a database file, and those SQLite keeps beside it, are readable by their owner alone, whatever the directory
 * allows: the file is made if it is missing, so that SQLite, which gives the others the same rights, never makes one that
 * others can read. To be called before SQLite opens it.
 *
 * A file that is there is not opened: closing it would release a lock that this process holds on it. What belongs to another
 * user stays as it is.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", ownerOnly));
  } catch {
    // It is there, or cannot be made, of which SQLite says more.
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) restrict(file);
}

function restrict(path: string): void {
  try {
    chmodSync(path, ownerOnly);
  } catch {
    // Not there, or another user's.
  }
}
