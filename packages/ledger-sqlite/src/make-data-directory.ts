import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Makes a data directory if it is missing, and sees that a new one is still there after the power has failed: what is synced in
 * a directory is lost with the directory's own name. One without a lock file may have been made by whoever calls.
 */
export function makeDataDirectory(directory: string): void {
  const path = resolve(directory);
  const firstMade = makeMissing(path);
  if (firstMade === undefined && existsSync(join(path, "lock.sqlite"))) return;
  const last = dirname(firstMade ?? path);
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    syncDirectory(parent);
    if (parent === last || parent === dirname(parent)) return;
  }
}

/**
 * Makes a directory with those above it that are missing, one at a time: where no directory can be made though the one above is
 * there, as below `/proc`, Node's own `recursive` never ends.
 *
 * @returns the topmost one that was made; `undefined` when it was there
 * @throws the system's own error
 */
function makeMissing(path: string): string | undefined {
  const missing: string[] = [];
  for (let each = path; !existsSync(each); each = dirname(each)) missing.push(each);
  // Complains of a file in its place.
  if (missing.length === 0) mkdirSync(path, { recursive: true });
  for (const each of missing.toReversed())
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if (!existsSync(each)) throw error;
    }
  return missing.at(-1);
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
