import { statSync } from "node:fs";
import { join } from "node:path";
import { filesIn, filesOf } from "./index-files.ts";
import { readManifest } from "./manifest.ts";

/**
 * Whether the files of an index that is not open hold no row that is dead, no change in a log and nothing left over, so
 * that compacting it would change nothing. False for damaged files, which opening it deals with.
 */
export function isCompact(directory: string): boolean {
  try {
    const manifest = readManifest(directory);
    const names = filesIn(directory);
    if (manifest === undefined) return names.length === 0;
    const [segment, ...more] = manifest.segments;
    const known = filesOf(manifest);
    return (
      more.length === 0 &&
      segment?.dead === undefined &&
      names.length === known.size &&
      names.every((name) => known.has(name)) &&
      statSync(join(directory, manifest.log)).size === 0
    );
  } catch {
    return false;
  }
}
