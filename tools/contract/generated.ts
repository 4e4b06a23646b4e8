import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Language, languages, missingToolchain, pythonProgram } from "@loci/polyglot";
import { buf, workspaceRoot } from "./buf.ts";
import { goReasons, writeGoReasons } from "./go-reasons.ts";

/** What code is generated for. TypeScript always can be; the other languages need programs that not every machine has. */
export const targets = ["typescript", ...languages] as const;

export type Target = (typeof targets)[number];

/** Tells buf what to write for each language. A file each, so that a missing program stops nothing but its own language. */
const templates: Readonly<Record<Target, string>> = {
  typescript: "buf.gen.yaml",
  python: "packages/client-python/buf.gen.yaml",
  go: "packages/client-go/buf.gen.yaml",
};

/** The contract as descriptors, for reflection and for tests that go through every method. */
const descriptorSet = "packages/api/descriptors.binpb";
/** Health's contract as descriptors, for reflection. */
const healthSet = "apps/server/health.binpb";
const healthProto = "node_modules/grpc-health-check/proto";

/** Programs that write more for Python, each with the path it writes: the blocking client, the reasons of errors, and the tools for models. */
const pythonWriters: readonly (readonly [program: string, path: string])[] = [
  ["write_synchronous.py", "packages/client-python/src/loci_client/synchronous"],
  ["write_reasons.py", "packages/client-python/src/loci_client/reasons.py"],
  ["write_tool_table.py", "packages/client-python/src/loci_client/agent/tool_table.py"],
];

export interface Targets {
  /** What can be generated here. */
  readonly available: readonly Target[];
  /** What cannot be, each with the reason. */
  readonly missing: readonly { readonly target: Language; readonly reason: string }[];
}

/** @throws Error in CI, when a target is missing */
export function findTargets(): Targets {
  const missing = languages.flatMap((target) => {
    const reason = missingToolchain(target);
    return reason === undefined ? [] : [{ target, reason }];
  });
  const isMissing = (target: Target): boolean => missing.some((entry) => entry.target === target);
  return { available: targets.filter((target) => !isMissing(target)), missing };
}

/** Writes what is generated for the targets into a copy of the workspace's folders at `directory`. */
export function generate(directory: string, targets: readonly Target[]): void {
  for (const target of targets) {
    buf(workspaceRoot, "generate", "--template", templates[target], "--output", directory);
    if (target === "typescript") {
      for (const folder of contractFolders) writeContractIndex(join(directory, folder));
      describe(".", join(directory, descriptorSet));
      describe(healthProto, join(directory, healthSet));
    }
    if (target === "python")
      for (const [program] of pythonWriters)
        execFileSync(pythonProgram, [join(workspaceRoot, "packages/client-python/generate", program), directory]);
    if (target === "go") writeGoReasons(join(directory, goReasons));
  }
}

function describe(input: string, output: string): void {
  mkdirSync(dirname(output), { recursive: true });
  buf(workspaceRoot, "build", input, "--as-file-descriptor-set", "--exclude-source-info", "--output", output);
}

/** The generated TypeScript of the contract, and the file in it that exports all of it. */
const contractFolders = ["packages/api/src/gen/loci/v1", "packages/api-web/src/gen/loci/v1"];
const contractIndex = "index.ts";

/** Every message, enumeration and service of the contract under one name, so that a new file of it has to be named nowhere. */
function writeContractIndex(folder: string): void {
  const files = globSync("*.ts", { cwd: folder }).filter((file) => file !== contractIndex);
  const lines = files.toSorted().map((file) => `export * from "./${file}";\n`);
  writeFileSync(join(folder, contractIndex), lines.join(""));
}

/** Files that generation writes for a target besides the folders of the plugins. */
const furtherFiles: Readonly<Record<Target, readonly string[]>> = {
  typescript: [descriptorSet, healthSet],
  python: pythonWriters.map(([, path]) => path),
  go: [goReasons],
};

/** What generation writes for a target: the folders of the plugins, and further files. */
export function generatedPaths(target: Target): string[] {
  const template = readFileSync(join(workspaceRoot, templates[target]), "utf8");
  const folders = Array.from(template.matchAll(/^\s+out: (\S+)$/gm), ([, folder]) => folder as string);
  if (folders.length === 0) throw new Error(`${templates[target]} names no output folder`);
  return [...new Set(folders), ...furtherFiles[target]];
}

/** The files under the paths that are not the same in both folders, or are in only one of them. */
export function differences(left: string, right: string, paths: readonly string[]): string[] {
  const files = new Set([left, right].flatMap((root) => filesUnder(root, paths)));
  return [...files].filter((file) => !sameFile(join(left, file), join(right, file))).toSorted();
}

function filesUnder(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    globSync([path, `${path}/**`], { cwd: root, exclude: ["**/__pycache__"], withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  );
}

function sameFile(left: string, right: string): boolean {
  return existsSync(left) && existsSync(right) && readFileSync(left).equals(readFileSync(right));
}
