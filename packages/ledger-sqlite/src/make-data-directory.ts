import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeDirectories } from "./make-directories.ts";

/**
 * Makes a data directory if it is missing, and sees that a new one is still there after the power has failed: what is synced in
 * a directory is lost with the directory's own name. One without a lock file may have been made by whoever calls.
 */
export function makeDataDirectory(directory: string): void {
  const path = resolve(directory);
  const firstMade = makeDirectories(path);
  if (firstMade === undefined && existsSync(join(path, "lock.sqlite"))) return;
  const last = dirname(firstMade ?? path);
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    syncDirectory(parent);
    if (parent === last || parent === dirname(parent)) return;
  }
}

function syncDirectory(directory: string): void {
  let file: number | undefined;
  try {
    file = openSync(directory, "r");
    fsyncSync(file);
  } catch {
    // Windows has no handle of a directory that could be synced, and a parent need not be readable.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
