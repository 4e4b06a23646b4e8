import { join } from "node:path";
import { LociError, throwIfAborted } from "@loci/domain";
import { openForReading } from "./connection.ts";
import { makePrivate } from "./private-file.ts";
import { toLociError } from "./sqlite-error.ts";
import { sqlite } from "./sqlite-module.ts";

/**
 * Copies the ledger of a data directory, which may be in use, as it is at one moment: SQLite's online backup in one step,
 * which readers and writers do not notice. For the process that owns the directory.
 *
 * @param path of the copy, a file that does not exist
 * @param signal looked at before and after: the copying itself is one step
 * @throws LociError `UNSUPPORTED_OPERATION` before Node 22.16; `DISK_FULL`, `STORE_UNAVAILABLE`
 */
export async function backupSqliteLedger(directory: string, path: string, signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  if (typeof sqlite.backup !== "function")
    throw new LociError("UNSUPPORTED_OPERATION", {
      message: `Node ${process.versions.node} cannot back up a SQLite file that is in use.`,
      advice: "Use Node 22.16 or newer, or stop Loci and copy the data directory.",
    });
  const source = join(directory, "ledger.sqlite");
  // A connection of its own: copying holds it.
  const database = openForReading(source);
  try {
    makePrivate(path);
    // More pages than a file can have: in steps, every commit between two of them would begin the copy again.
    await sqlite.backup(database, path, { rate: 2 ** 31 - 1 });
  } catch (error) {
    throw toLociError(error, path);
  } finally {
    database.close();
  }
  throwIfAborted(signal);
}
