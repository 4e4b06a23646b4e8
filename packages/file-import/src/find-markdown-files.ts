import { glob, stat } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "@loci/domain";

/**
 * The Markdown files a path stands for: itself, or every `*.md` below it in path order, leaving out `node_modules` and
 * folders whose name begins with a dot.
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
  const found: string[] = [];
  for await (const file of glob("**/*.md", { cwd: path, exclude: (name) => isHidden(name) }))
    found.push(join(path, file));
  return found.toSorted();
}

function isHidden(path: string): boolean {
  const name = path.split(/[\\/]/u).at(-1) ?? "";
  return name === "node_modules" || (name.startsWith(".") && name !== "." && name !== "..");
}
