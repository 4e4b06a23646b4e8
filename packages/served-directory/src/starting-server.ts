import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "./is-running.ts";
import { locateDataDirectory } from "./locate-data-directory.ts";
import { writeNote } from "./write-note.ts";

/**
 * Notes in a data directory that this process starts to serve it, for `findStartingServer`. For people only: where it cannot be
 * written, as in a directory that is yet to be made, it is left out.
 *
 * @returns takes the note away again
 */
export function announceStart(dataDirectory: string): () => void {
  try {
    return writeNote(startFile(dataDirectory), { pid: process.pid });
  } catch {
    return () => undefined;
  }
}

/**
 * The process id of the server that is starting on a data directory, and does not take calls yet.
 *
 * @param dataDirectory default as for `openLoci`
 * @returns `undefined` when none is; what a server that died has left does not count
 */
export function findStartingServer(dataDirectory?: string): number | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(startFile(locateDataDirectory(dataDirectory)), "utf8"));
    const pid = typeof note === "object" && note !== null && "pid" in note ? note.pid : undefined;
    return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0 && isRunning(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function startFile(dataDirectory: string): string {
  return join(dataDirectory, "starting.json");
}
