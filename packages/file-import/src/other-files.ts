import { glob, stat } from "node:fs/promises";
import { extname } from "node:path";
import { isHidden } from "./find-markdown-files.ts";

/**
 * How many files of a folder are not looked at by an import because they are no Markdown, by ending, most first: `[[".jsonl", 3]]`.
 * Of a file, and of a folder that cannot be read, nothing.
 */
export async function otherFiles(path: string): Promise<readonly (readonly [ending: string, count: number])[]> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory() !== true) return [];
  const counts = new Map<string, number>();
  for await (const entry of glob("**/*", { cwd: path, exclude: ({ name }) => isHidden(name), withFileTypes: true })) {
    const ending = extname(entry.name).toLowerCase();
    if (entry.isFile() && ending !== ".md") counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts].toSorted(([, left], [, right]) => right - left);
}
