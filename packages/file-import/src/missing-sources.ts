import { stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type Memory, throwIfAborted } from "@loci/domain";

/** A folder that was searched, and from where its files are named. */
export interface SearchedFolder {
  readonly path: string;
  readonly root: string;
}

/** A document that was imported once and whose file is not there any more. */
export interface MissingSource {
  readonly source: string;
  readonly memories: readonly Memory[];
}

/** So many files are looked at together: on a slow disk or a network each takes a while, and all at once are too many. */
const mostAtOnce = 32;

/**
 * Documents that earlier imports have found below a folder, and whose files were deleted, renamed or moved since. A file that is
 * there and was only not searched for, or could not be read, is not missing.
 *
 * @param existing what earlier imports stored, by source
 */
export async function missingSources(
  folders: readonly SearchedFolder[],
  existing: ReadonlyMap<string, readonly Memory[]>,
  signal?: AbortSignal,
): Promise<readonly MissingSource[]> {
  const missing = new Map<string, MissingSource>();
  for (const { path, root } of folders) {
    const folder = relative(root, path).split(sep).join("/");
    const beginning = folder === "" ? "" : `${folder}/`;
    const sources = [...existing.keys()].filter((source) => source.startsWith(beginning) && isDocument(source));
    for (let start = 0; start < sources.length; start += mostAtOnce) {
      throwIfAborted(signal);
      const some = sources.slice(start, start + mostAtOnce);
      const there = await Promise.all(some.map((source) => isThere(join(root, source))));
      for (const [index, source] of some.entries())
        if (there[index] !== true) missing.set(source, { source, memories: existing.get(source) ?? [] });
    }
  }
  return [...missing.values()].toSorted((left, right) => (left.source < right.source ? -1 : 1));
}

/** Conversations and what came from other memories have sources that are no paths. */
function isDocument(source: string): boolean {
  return source.endsWith(".md");
}

/** Whatever else keeps a file from being looked at does not say that it is gone. */
async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
