import { existsSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Manifest } from "./public-packages.ts";

/**
 * Joins the modules of a built package into one file for each way into it, and one for what these share: Node takes about a
 * millisecond to find and read a module, and the library has a thousand. Nothing is renamed or made shorter, so that it can be
 * read, and stack traces name the functions of the source.
 *
 * What other packages are asked for stays an import, of dependencies and of parts of this package by its name for them
 * (`#reading-worker`). Code that is joined no longer knows its folder: files are found from the root of `dist`, or by such a name.
 *
 * @param folder of a copy of the package: the modules that were joined are removed from it
 */
export async function joinModules(folder: string, manifest: Manifest): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: waysInto(manifest),
    outdir: "dist",
    outbase: "dist",
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    external: ["#*"],
    chunkNames: "shared-[hash]",
    metafile: true,
    logLevel: "error",
  });
  // Modules of the source have declarations beside them. The page of the memory browser, say, has none.
  for (const file of globSync("dist/**/*.js", { cwd: folder }))
    if (!(file in metafile.outputs) && existsSync(join(folder, file.replace(/\.js$/, ".d.ts"))))
      rmSync(join(folder, file));
}

/** The modules that are imported from outside, and those that are started: programs and threads. */
function waysInto({ exports, imports, sideEffects }: Manifest): string[] {
  const named = [exports, imports, sideEffects].flatMap(filesIn);
  return [...new Set(named)].filter((file) => /^\.\/dist\/.*\.js$/.test(file));
}

/** Every file that a map of exports or imports, or a list, leads to. */
function filesIn(map: unknown): string[] {
  if (typeof map === "string") return [map];
  return typeof map === "object" && map !== null ? Object.values(map).flatMap(filesIn) : [];
}
