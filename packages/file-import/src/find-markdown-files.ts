import { glob, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { LociError } from "@loci/domain";

/**
 * The Markdown files a path stands for: itself, or every `*.md` below it in path order, leaving out `node_modules` and
 * folders whose name begins with a dot. Of a folder, what is no file, such as a pipe, and links that lead out of it are left out.
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
  const found: string[] = [];
  for await (const file of glob("**/*.md", { cwd: path, exclude: (name) => isHidden(name) }))
    if (await isFileInside(root, join(path, file))) found.push(join(path, file));
  return found.toSorted();
}

async function isFileInside(root: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return false;
  const inside = relative(root, real);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return false;
  return (await stat(real)).isFile();
}

/** What an import passes over in a folder. */
export function isHidden(path: string): boolean {
  const name = path.split(/[\\/]/u).at(-1) ?? "";
  return name === "node_modules" || (name.startsWith(".") && name !== "." && name !== "..");
}
