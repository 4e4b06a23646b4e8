import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The parts of a `package.json` that are read here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A package of this workspace that others can install. */
export interface PublicPackage {
  readonly manifest: Manifest;
  /** From the root of the workspace, such as `packages/core`. */
  readonly folder: string;
}

export const workspaceRoot: string = join(import.meta.dirname, "../..");

/** What the root's own `package.json` says. */
export const rootManifest: Manifest = readManifest(join(workspaceRoot, "package.json"));

/** All packages that are published, by folder. */
export function publicPackages(): PublicPackage[] {
  return globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: workspaceRoot })
    .toSorted()
    .map((file) => ({ manifest: readManifest(join(workspaceRoot, file)), folder: dirname(file) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** The packages named and all of this workspace that they cannot do without, by folder. */
export function withWhatTheyNeed(names: readonly string[]): PublicPackage[] {
  const all = publicPackages();
  const needed = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const found = all.find(({ manifest }) => manifest.name === name);
    if (found === undefined || needed.has(name)) continue;
    needed.add(name);
    waiting.push(...Object.keys(found.manifest.dependencies ?? {}));
  }
  return all.filter(({ manifest }) => needed.has(manifest.name));
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}
