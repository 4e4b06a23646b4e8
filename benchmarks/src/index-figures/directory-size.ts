import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Bytes of all files in a directory and below it. */
export function directorySize(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
