import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * From where the sources of an import are named, so that they are called the same wherever the program runs: the top of the git
 * work tree that holds the path, else the folder above the named folder, or above the folder of the named file.
 */
export function importRoot(path: string): string {
  const given = resolve(path);
  for (let folder = given; ; folder = dirname(folder)) {
    // A file in a work tree of `git worktree`, a folder in any other.
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) break;
  }
  return dirname(statSync(given, { throwIfNoEntry: false })?.isDirectory() === false ? dirname(given) : given);
}
