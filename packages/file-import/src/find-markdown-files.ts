import { glob, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { LociError } from "@loci/domain";

/**
 * The Markdown files a path stands for: itself, or every `*.md` below it in path order, leaving out `node_modules` and
 * folders whose name begins with a dot. Of a folder, what is no file, such as a pipe, and links that lead out of it are left out;
 * a file that links lead to is found once, by its own path where that is searched.
 *
 * @throws LociError `FILE_NOT_FOUND`
 */
export async function findMarkdownFiles(path: string): Promise<readonly string[]> {
  const status = await stat(path).catch((cause: unknown) => {
    throw new LociError("FILE_NOT_FOUND", {
      message: `${path} cannot be read.`,
      resource: path,
      advice: "Check the path, and that you may read it.",
      cause,
    });
  });
  if (!status.isDirectory()) return [path];
  const root = await realpath(path);
  const files: string[] = [];
  for await (const file of glob("**/*.md", { cwd: path, exclude: (name) => isHidden(name) })) files.push(file);
  /** By where they really are. */
  const found = new Map<string, string>();
  for (const file of files.toSorted()) {
    const real = await realFileInside(root, join(path, file));
    if (real !== undefined && (!found.has(real) || real === join(root, file))) found.set(real, join(path, file));
  }
  return [...found.values()].toSorted();
}

async function realFileInside(root: string, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !isInside(root, real)) return undefined;
  return (await stat(real)).isFile() ? real : undefined;
}

/** Whether one real path is another's, or below it. */
export function isInside(root: string, real: string): boolean {
  const inside = relative(root, real);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** What an import passes over in a folder. */
export function isHidden(path: string): boolean {
  const name = path.split(/[\\/]/u).at(-1) ?? "";
  return name === "node_modules" || (name.startsWith(".") && name !== "." && name !== "..");
}
