import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VersionActions } from "nx/release";

/** The part of nx's file tree that is used here. */
interface Tree {
  read(path: string, encoding: "utf8"): string | null;
  write(path: string, content: string): void;
}

type Dependencies = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** Where a package says what it depends on. */
const dependencyFields = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;

/**
 * How `nx release` reads and writes the versions of packages: in `package.json`, where packages of this workspace depend on each
 * other's exact version.
 */
export default class PackageVersions extends VersionActions {
  override validManifestFilenames = ["package.json"];
  /** They are formatted with everything else. */
  override excludeManifestsFromFormatting = true;

  override async readCurrentVersionFromSourceManifest(
    tree: Tree,
  ): Promise<{ currentVersion: string; manifestPath: string }> {
    const manifestPath = `${this.projectGraphNode.data.root}/package.json`;
    return { currentVersion: readManifest(tree, manifestPath).version, manifestPath };
  }

  /** What was published does not count: the versions in the repository do. */
  override async readCurrentVersionFromRegistry(): Promise<null> {
    return null;
  }

  override async readCurrentVersionOfDependency(
    tree: Tree,
    graph: { readonly nodes: Readonly<Record<string, { readonly data: { readonly root: string } }>> },
    dependency: string,
  ): Promise<{ currentVersion: string | null; dependencyCollection: string | null }> {
    const name = readManifest(tree, `${graph.nodes[dependency]?.data.root ?? ""}/package.json`).name;
    const own = readManifest(tree, `${this.projectGraphNode.data.root}/package.json`);
    for (const field of dependencyFields) {
      const currentVersion = (own[field] as Dependencies | undefined)?.[name];
      if (currentVersion !== undefined) return { currentVersion, dependencyCollection: field };
    }
    return { currentVersion: null, dependencyCollection: null };
  }

  override async updateProjectVersion(tree: Tree, version: string): Promise<string[]> {
    return this.manifestsToUpdate.map(({ manifestPath }) => {
      writeManifest(tree, manifestPath, { ...readManifest(tree, manifestPath), version });
      return `${manifestPath} is at ${version}`;
    });
  }

  override async updateProjectDependencies(
    tree: Tree,
    graph: { readonly nodes: Readonly<Record<string, { readonly data: { readonly root: string } }>> },
    updates: Dependencies,
  ): Promise<string[]> {
    const versions = new Map(
      Object.entries(updates).map(([project, version]) => [
        readManifest(tree, `${graph.nodes[project]?.data.root ?? ""}/package.json`).name,
        version,
      ]),
    );
    for (const { manifestPath } of this.manifestsToUpdate) {
      const manifest = readManifest(tree, manifestPath);
      const changed = dependencyFields.flatMap((field) => {
        const named = manifest[field] as Dependencies | undefined;
        return named === undefined ? [] : [[field, withVersions(named, versions)] as const];
      });
      writeManifest(tree, manifestPath, { ...manifest, ...Object.fromEntries(changed) });
    }
    return [`${versions.size} dependencies of ${this.projectGraphNode.name} are updated`];
  }
}

function withVersions(dependencies: Dependencies, versions: ReadonlyMap<string, string>): Dependencies {
  return Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, versions.get(name) ?? range]));
}

function readManifest(tree: Tree, path: string): Manifest {
  const text = tree.read(path, "utf8");
  if (text === null) throw new Error(`${path} is not there.`);
  return JSON.parse(text) as Manifest;
}

function writeManifest(tree: Tree, path: string, manifest: Manifest): void {
  tree.write(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

const pythonManifest = "packages/client-python/pyproject.toml";
const lockFile = "package-lock.json";

/** What follows the packages' version: the Python client, and the lock file. A Go module has its version from its tag. */
export async function afterAllProjectsVersioned(
  workspace: string,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<{ changedFiles: string[]; deletedFiles: string[] }> {
  if (!dryRun) {
    const { version } = JSON.parse(readFileSync(join(workspace, "packages/loci/package.json"), "utf8")) as Manifest;
    writePythonVersion(join(workspace, pythonManifest), version);
    if (existsSync(join(workspace, lockFile))) writeLockedVersions(workspace);
  }
  return { changedFiles: [pythonManifest, lockFile], deletedFiles: [] };
}

function writePythonVersion(path: string, version: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(/^version = ".*"$/mu, `version = "${version}"`));
}

/** Each workspace package in the lock file is as its `package.json` says. */
function writeLockedVersions(workspace: string): void {
  const path = join(workspace, lockFile);
  const lock = JSON.parse(readFileSync(path, "utf8")) as { readonly packages: Record<string, Record<string, unknown>> };
  for (const [folder, locked] of Object.entries(lock.packages)) {
    const manifestPath = join(workspace, folder, "package.json");
    if (folder === "" || folder.includes("node_modules") || !existsSync(manifestPath)) continue;
    const manifest = JSON.parse(readFileSync(manifestPath, "utf8")) as Manifest;
    for (const field of ["version", ...dependencyFields])
      if (manifest[field] !== undefined && locked[field] !== undefined) locked[field] = manifest[field];
  }
  writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);
}
