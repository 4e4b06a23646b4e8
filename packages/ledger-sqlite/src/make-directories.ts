import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a directory with those above it that are missing, one at a time: where no directory can be made though the one above is
 * there, as below `/proc`, Node's own `recursive` never ends.
 *
 * @param mode of those that are made, less what the process takes away from all its files. Default: for their owner alone
 * @returns the topmost one that was made; `undefined` when it was there
 * @throws the system's own error
 */
export function makeDirectories(directory: string, mode = 0o700): string | undefined {
  const path = resolve(directory);
  const missing: string[] = [];
  for (let each = path; !existsSync(each); each = dirname(each)) missing.push(each);
  // Complains of a file in its place.
  if (missing.length === 0) mkdirSync(path, { recursive: true });
  for (const each of missing.toReversed())
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if (!existsSync(each)) throw error;
    }
  return missing.at(-1);
}
