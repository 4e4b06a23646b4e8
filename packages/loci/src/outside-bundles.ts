import { existsSync, readFileSync } from "node:fs";
import { LociError } from "@loci/domain";

const ownName = "@loci/loci";

/**
 * Loci's threads and its embedding model are files beside the code, found from where the code is. A bundler takes the code
 * and leaves them: that is said before anything is opened.
 *
 * @param place of this code, `import.meta.url`; bundles in CommonJS have none
 * @throws LociError `INVALID_CONFIGURATION` when the code is not in its own package
 */
export function checkOutsideBundles(place: string | undefined = import.meta.url): void {
  if (place !== undefined && nameOfPackage(place) === ownName) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: "@loci/loci was put into a bundle, away from the files of its threads and its embedding model.",
    advice:
      'Leave it out of the bundle and installed beside it. esbuild: --external:@loci/loci; Next.js: serverExternalPackages: ["@loci/loci"]; webpack: externals; Rollup: external; Vite: ssr.external. @loci/client can be bundled.',
  });
}

/** Of the package whose `dist` or `src` holds a file; `undefined` where no such file is. */
function nameOfPackage(place: string): string | undefined {
  const manifest = new URL("../package.json", place);
  // Looked for first: that it cannot be read, for want of open files, says nothing about where the code is.
  if (!existsSync(manifest)) return undefined;
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { name?: string }).name;
  } catch {
    return ownName;
  }
}
