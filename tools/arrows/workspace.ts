import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";

export interface Workspace {
  /** Folders of `packages` that have a package.json. */
  readonly packages: readonly string[];
  /** Packages, programs and examples, by their path from the root, each with the workspace packages it declares. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** The source files that packages export, relative to the root. */
  readonly entryPoints: readonly string[];
  /** Folders to read, relative to the root. */
  readonly sources: readonly string[];
}

interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export function readWorkspace(root: string): Workspace {
  const manifests = globSync(["packages/*/package.json", "apps/*/package.json", "examples/*/package.json"], {
    cwd: root,
  })
    .toSorted()
    .map((file) => ({
      folder: dirname(file),
      manifest: JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest,
    }));
  return {
    packages: manifests.filter(({ folder }) => dirname(folder) === "packages").map(({ folder }) => basename(folder)),
    declared: new Map(manifests.map(({ folder, manifest }) => [folder, workspaceDependencies(manifest)])),
    entryPoints: manifests.flatMap(({ folder, manifest }) =>
      sourceEntries(manifest).map((file) => posix.join(folder, file)),
    ),
    sources: ["packages", "apps", "tools", "benchmarks", "examples"].filter((folder) => existsSync(join(root, folder))),
  };
}

/** A peer counts: what is installed only where it is wanted is declared as one. */
function workspaceDependencies({ dependencies = {}, peerDependencies = {} }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) =>
    name.startsWith("@loci/") ? [name.slice("@loci/".length)] : [],
  );
}

/** The files behind the `@loci/source` condition of a package's exports. */
function sourceEntries({ exports = {} }: Manifest): string[] {
  return Object.values(exports).flatMap((entry) => {
    const source = (entry as Record<string, unknown> | null)?.["@loci/source"];
    return typeof source === "string" ? [source] : [];
  });
}
