import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buf, workspaceRoot } from "./buf.ts";

/** The contract as descriptors, for reflection and for tests that go through every method. */
const descriptorSet = "packages/api/descriptors.binpb";

/** Writes everything that is generated from the contract into a copy of the workspace's folders at `directory`. */
export function generate(directory: string): void {
  buf(workspaceRoot, "generate", "--output", directory);
  const set = join(directory, descriptorSet);
  buf(workspaceRoot, "build", "--as-file-descriptor-set", "--exclude-source-info", "--output", set);
}

/** What generation writes: the folders of the plugins, and the descriptor set. */
export function generatedPaths(): string[] {
  const template = readFileSync(join(workspaceRoot, "buf.gen.yaml"), "utf8");
  const folders = Array.from(template.matchAll(/^\s+out: (\S+)$/gm), ([, folder]) => folder as string);
  if (folders.length === 0) throw new Error("buf.gen.yaml names no output folder");
  return [...folders, descriptorSet];
}

/** The files under the paths that are not the same in both folders, or are in only one of them. */
export function differences(left: string, right: string, paths: readonly string[]): string[] {
  const files = new Set([left, right].flatMap((root) => filesUnder(root, paths)));
  return [...files].filter((file) => !sameFile(join(left, file), join(right, file))).toSorted();
}

function filesUnder(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    globSync([path, `${path}/**`], { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  );
}

function sameFile(left: string, right: string): boolean {
  return existsSync(left) && existsSync(right) && readFileSync(left).equals(readFileSync(right));
}
