import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateDataDirectory } from "./data-directory.ts";

/** Where the server of a data directory takes calls. */
export interface ServerLocation {
  /** Host and port as a program on the same machine reaches them, such as `127.0.0.1:5624`. */
  readonly address: string;
  readonly pid: number;
  readonly tls: boolean;
}

/**
 * Notes in a data directory that it is being served, for `findServer`. Only the directory's owner may.
 *
 * @returns takes the note away again
 */
export function announceServer(dataDirectory: string, location: ServerLocation): () => void {
  const path = locationFile(dataDirectory);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(location)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return () => rmSync(path, { force: true });
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
  const { address, pid, tls } = note as Partial<Record<keyof ServerLocation, unknown>>;
  return typeof address === "string" && Number.isSafeInteger(pid) && typeof tls === "boolean";
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks whether the process is there.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
