import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

interface Manifest {
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** What was collected. */
export interface CollectedProgram {
  readonly packages: number;
  readonly bytes: number;
}

/** What programs do not read. Licences stay. */
const leftOut = /\.(?:map|d\.[cm]?ts|tsbuildinfo)$/;

/**
 * Copies a built program of the workspace, and of every package it depends on what is published, in the versions that are
 * installed: those of the lock. Folders stand as they do in the workspace.
 *
 * @param root of the workspace, with its packages built
 * @param program a folder of the workspace
 * @param target a folder that is not there yet
 * @throws Error for a target that is there, for a package that is not installed or not built
 */
export function collectProgram(root: string, program: string, target: string): CollectedProgram {
  if (existsSync(target)) throw new Error(`${target} is there already.`);
  const folders = new Set<string>();
  const visit = (folder: string): void => {
    if (folders.has(folder)) return;
    folders.add(folder);
    for (const name of dependenciesOf(manifestOf(folder))) {
      const link = installed(folder, name, root);
      const real = realpathSync(link);
      visit(real);
      if (real !== link) copyLink(link, real, root, target);
    }
  };
  visit(join(root, program));
  let bytes = 0;
  for (const folder of folders) bytes += copyPackage(folder, join(target, relative(root, folder)), root);
  return { packages: folders.size, bytes };
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function dependenciesOf(manifest: Manifest): readonly string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...new Set([...Object.keys(dependencies), ...peers])].filter((name) => !(name in optionalDependencies));
}

/** As Node looks for it: in the folder itself, then in those above. */
function installed(from: string, name: string, root: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(found)) return found;
    if (folder === root || folder === dirname(folder))
      throw new Error(`${name}, which ${from} needs, is not installed.`);
  }
}

/** A package of the workspace is reached by a link. */
function copyLink(link: string, real: string, root: string, target: string): void {
  const copy = join(target, relative(root, link));
  mkdirSync(dirname(copy), { recursive: true });
  if (!existsSync(dirname(copy)) || readdirSync(dirname(copy)).includes(basename(copy))) return;
  symlinkSync(relative(dirname(link), real), copy);
}

/** @returns how large the copy is */
function copyPackage(from: string, to: string, root: string): number {
  const isInstalled = relative(root, from).split("/").includes("node_modules");
  const wanted = isInstalled ? ["."] : ["package.json", ...publishedFiles(from)];
  let bytes = 0;
  const filter = (source: string): boolean => {
    if (source !== from && basename(source) === "node_modules") return false;
    const found = statSync(source);
    if (found.isFile() && leftOut.test(source)) return false;
    bytes += found.isFile() ? found.size : 0;
    return true;
  };
  for (const name of wanted) cpSync(join(from, name), join(to, name), { recursive: true, filter });
  return bytes;
}

/** @throws Error when the package has not been built */
function publishedFiles(folder: string): readonly string[] {
  const { files = [] } = manifestOf(folder);
  const names = files.filter((name) => !name.startsWith("!"));
  const missing = names.find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) throw new Error(`${join(folder, missing)} is not there: run npm run build first.`);
  return names;
}
