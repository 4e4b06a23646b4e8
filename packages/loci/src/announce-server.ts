import { join } from "node:path";
import { announceServer as announce, type ServerLocation } from "@loci/served-directory";
import { refuseFile } from "./file-error.ts";

/**
 * Notes in a data directory that it is being served, for `findServer`. Only the directory's owner may.
 *
 * @returns takes the note away again
 * @throws LociError `DISK_FULL`; `INVALID_CONFIGURATION` where this user may not write; `STORE_UNAVAILABLE` when no more files can
 *   be opened
 */
export function announceServer(dataDirectory: string, location: ServerLocation): () => void {
  try {
    return announce(dataDirectory, location);
  } catch (error) {
    refuseFile(join(dataDirectory, "server.json"), error);
  }
}
