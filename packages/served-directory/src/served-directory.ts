import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "./is-running.ts";
import { locateDataDirectory } from "./locate-data-directory.ts";
import { writeNote } from "./write-note.ts";

/** Where the server of a data directory takes calls. */
export interface ServerLocation {
  /** Host and port as a program on the same machine reaches them, such as `127.0.0.1:5624`. */
  readonly address: string;
  readonly pid: number;
  readonly tls: boolean;
  /**
   * The key that the server takes, when it has no configured API keys: random, and another one after each start. It gives
   * every right in the tenant `local`.
   */
  readonly apiKey?: string | undefined;
  /** A Unix socket where the server's user tells it what concerns all of its shards. Only with several workers. */
  readonly operatorSocket?: string | undefined;
}

/**
 * Notes in a data directory that it is being served, for `findServer`. Only the directory's owner may. Nobody but the user
 * of this process can read the note.
 *
 * @returns takes the note away again
 */
export function announceServer(dataDirectory: string, location: ServerLocation): () => void {
  return writeNote(locationFile(dataDirectory), location);
}

/**
 * The server that has a data directory open, so that a program can connect to it instead.
 *
 * @param dataDirectory default as for `openLoci`
 * @returns `undefined` when it is not being served; what a server that died has left does not count
 */
export function findServer(dataDirectory?: string): ServerLocation | undefined {
  let note: unknown;
  try {
    note = JSON.parse(readFileSync(locationFile(locateDataDirectory(dataDirectory)), "utf8"));
  } catch {
    return undefined;
  }
  return isLocation(note) && isRunning(note.pid) ? note : undefined;
}

function locationFile(dataDirectory: string): string {
  return join(dataDirectory, "server.json");
}

function isLocation(note: unknown): note is ServerLocation {
  if (typeof note !== "object" || note === null) return false;
  const { address, pid, tls, apiKey, operatorSocket } = note as Partial<Record<keyof ServerLocation, unknown>>;
  const hasKey = apiKey === undefined || typeof apiKey === "string";
  const hasSocket = operatorSocket === undefined || typeof operatorSocket === "string";
  return typeof address === "string" && Number.isSafeInteger(pid) && typeof tls === "boolean" && hasKey && hasSocket;
}
