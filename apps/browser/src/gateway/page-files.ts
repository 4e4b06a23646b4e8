import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { LociError } from "@loci/domain";

/** A file of the page as it is sent. */
export interface PageFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The same by brotli. */
  readonly compressed: Buffer;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Where the build puts the page: beside the compiled gateway, which in a checkout runs from its source. */
export const builtPage: string = join(import.meta.dirname, "../../dist/page");

/**
 * The files of the page by their paths. Read once: what is asked for is looked up by name and never becomes a path of a file.
 *
 * @throws LociError `FILE_NOT_FOUND` when the page was not built
 */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(join(folder, "index.html")))
    throw new LociError("FILE_NOT_FOUND", {
      message: `The page of the memory browser is not in ${folder}.`,
      resource: folder,
      advice: "In a checkout, build it: npx nx build @loci/browser.",
    });
  const files = readdirSync(folder).filter((name) => contentTypes[extname(name)] !== undefined);
  return new Map(
    files.map((name) => [
      name === "index.html" ? "/" : `/${name}`,
      {
        contentType: contentTypes[extname(name)] ?? "",
        bytes: readFileSync(join(folder, name)),
        compressed: readFileSync(join(folder, `${name}.br`)),
      },
    ]),
  );
}
