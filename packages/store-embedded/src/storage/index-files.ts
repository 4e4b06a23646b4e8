import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory } from "./durable-file.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { errorCode } from "./storage-error.ts";

/** Makes the directory of an index, and sees that it is still there after a crash. */
export async function makeIndexDirectory(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  await syncDirectory(dirname(directory));
  await syncDirectory(dirname(dirname(directory)));
}

/** The files that a manifest names, and its own. */
export function filesOf({ log, segments }: Manifest): ReadonlySet<string> {
  const named = segments.flatMap(({ file, dead }) => (dead === undefined ? [file] : [file, dead]));
  return new Set([manifestName, log, ...named]);
}

/** Removes what a crash or a failed write left. @param known the files that the manifest names, and its own */
export function removeStrayFiles(directory: string, known: ReadonlySet<string>): void {
  for (const name of filesIn(directory)) if (!known.has(name)) rmSync(join(directory, name), { force: true });
}

/**
 * Removes an index, and sees that it does not come back after a crash. Its manifest goes first: what a crash leaves then is
 * no index but files that nothing names.
 */
export function removeIndex(directory: string): void {
  if (!existsSync(directory)) return;
  rmSync(join(directory, manifestName), { force: true });
  rmSync(directory, { recursive: true, force: true });
  const parent = openSync(dirname(directory), "r");
  try {
    fsyncSync(parent);
  } finally {
    closeSync(parent);
  }
}

/** Waits until no file that was removed from an index can come back after a crash. There may be no such directory. */
export async function settleRemovals(directory: string): Promise<void> {
  if (existsSync(directory)) await syncDirectory(directory);
}

/** The names in a directory; none when it does not exist. */
export function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
