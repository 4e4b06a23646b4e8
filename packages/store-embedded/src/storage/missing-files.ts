import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { filesOf } from "./index-files.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";
import { errorCode } from "./storage-error.ts";
import { isTenantDirectory } from "./tenant-directories.ts";

/**
 * The files that indexes need and that are not there, or are damaged so that nothing can be read of them, by their paths. Whoever opens the
 * indexes makes them again from the ledger. Changes nothing, and works beside a process that has the indexes open.
 *
 * @param directory the indexes of all tenants. One that is not there misses nothing
 * @param mostTenants so many tenants are looked at
 */
export function missingIndexFiles(directory: string, mostTenants: number): readonly string[] {
  const tenants = namesIn(directory).filter(isTenantDirectory).slice(0, mostTenants);
  return tenants.flatMap((tenant) =>
    namesIn(join(directory, tenant)).flatMap((index) => missingOf(join(directory, tenant, index))),
  );
}

function missingOf(directory: string): readonly string[] {
  const manifest = manifestOf(directory);
  if (manifest === undefined) return [];
  if (manifest === "damaged") return [join(directory, manifestName)];
  const missing = [...filesOf(manifest)].map((file) => join(directory, file)).filter((path) => !existsSync(path));
  if (missing.length === 0) return [];
  // A merge that ended meanwhile has named others, and removed these.
  const now = manifestOf(directory);
  return JSON.stringify(now) === JSON.stringify(manifest) ? missing : [];
}

function manifestOf(directory: string): Manifest | "damaged" | undefined {
  try {
    return readManifest(directory);
  } catch {
    return "damaged";
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
