import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { transform } from "lightningcss";
import { rolldown } from "rolldown";
import { checkSources } from "./check-sources.ts";

/** The first load of the page, in bytes as they are sent. */
export const mostLoadedBytes: number = 90_000;

const source = join(import.meta.dirname, "../src/page");

/**
 * Makes the page: one script, one style, one document, each by brotli too.
 *
 * @returns how many bytes the page takes as it is sent
 * @throws Error for a source that could make HTML of a string, and for a page that has grown too large
 */
export async function buildPage(folder: string): Promise<number> {
  checkSources(source);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = await rolldown({
    input: join(source, "main.tsx"),
    platform: "browser",
    resolve: { conditionNames: ["@loci/source", "browser", "import", "default"] },
    tsconfig: join(source, "tsconfig.json"),
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  const [script] = output;
  const sizes = [
    write(folder, "page.js", script.code),
    write(folder, "page.css", style()),
    ...globSync("*.{html,svg}", { cwd: source }).map((file) =>
      write(folder, file, readFileSync(join(source, file), "utf8")),
    ),
  ];
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > mostLoadedBytes) throw new Error(`The page takes ${bytes} bytes, more than ${mostLoadedBytes}.`);
  return bytes;
}

/** All style sheets in the order of their names, which begin with a number where it counts; in as few bytes as say the same. */
function style(): Uint8Array {
  const files = globSync("style/*.css", { cwd: source }).toSorted((one, other) =>
    basename(one) < basename(other) ? -1 : 1,
  );
  const code = Buffer.concat(files.map((file) => readFileSync(join(source, file))));
  return transform({ filename: "page.css", code, minify: true }).code;
}

function write(folder: string, name: string, text: string | Uint8Array): number {
  const compressed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, `${name}.br`), compressed);
  return compressed.length;
}
