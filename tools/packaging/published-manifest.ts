import { rootManifest, type Manifest, type PublicPackage } from "./public-packages.ts";

/** The export condition by which packages of this workspace find each other's TypeScript. */
const sourceCondition = "@loci/source";

/** What only this workspace needs to know. */
const ofTheWorkspace: ReadonlySet<string> = new Set(["scripts", "devDependencies"]);

/**
 * The `package.json` that is published: without what only this workspace needs, and with the address of the repository,
 * which the root's `package.json` has alone.
 */
export function publishedManifest({ manifest, folder }: PublicPackage): Manifest {
  const kept = Object.entries(manifest).filter(([field]) => !ofTheWorkspace.has(field));
  const { repository } = rootManifest as { repository?: Readonly<Record<string, string>> };
  return withoutSources({
    ...Object.fromEntries(kept),
    ...(repository === undefined ? {} : { repository: { ...repository, directory: folder } }),
  }) as Manifest;
}

/** The sources are not in the package, so nothing may lead there. */
function withoutSources(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== sourceCondition)
      .map(([key, inner]) => [key, withoutSources(inner)]),
  );
}
