import { glob, realpath, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isHidden, isInside } from "./find-markdown-files.ts";

/**
 * How many files of a folder are not looked at by an import because they are no Markdown, by ending, most first: `[[".jsonl", 3]]`.
 * Each counts once, whatever links lead to its folder. Of a file, and of a folder that cannot be read, nothing.
 */
export async function otherFiles(path: string): Promise<readonly (readonly [ending: string, count: number])[]> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory() !== true) return [];
  const root = await realpath(path);
  /** Where folders really are; `undefined` for those outside. */
  const folders = new Map<string, string | undefined>();
  const counted = new Set<string>();
  const counts = new Map<string, number>();
  for await (const entry of glob("**/*", { cwd: path, exclude: ({ name }) => isHidden(name), withFileTypes: true })) {
    const ending = extname(entry.name).toLowerCase();
    if (!entry.isFile() || ending === ".md") continue;
    const { parentPath } = entry;
    if (!folders.has(parentPath)) folders.set(parentPath, await realFolderInside(root, parentPath));
    const folder = folders.get(parentPath);
    if (folder === undefined || counted.has(join(folder, entry.name))) continue;
    counted.add(join(folder, entry.name));
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts].toSorted(([, left], [, right]) => right - left);
}

async function realFolderInside(root: string, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && isInside(root, real) ? real : undefined;
}
