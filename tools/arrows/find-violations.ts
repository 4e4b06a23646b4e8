import { cruise } from "dependency-cruiser";
import "./read-tsx.ts";
import "./read-using.ts";
import { arrowsOf, engineRooms } from "./allowed.ts";
import { rulesFor } from "./rules.ts";
import { readWorkspace } from "./workspace.ts";

export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Findings {
  readonly violations: readonly Violation[];
  /** How many source files were read. */
  readonly modules: number;
  /** Packages of which no source file was read: a reader that cannot parse TypeScript reports no violations either. */
  readonly unread: readonly string[];
  /** Packages, and rooms of the engine, without a row in their table. */
  readonly unlisted: readonly string[];
}

export async function findViolations(root: string): Promise<Findings> {
  const workspace = readWorkspace(root);
  const { output } = await cruise(
    [...workspace.sources],
    {
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: rulesFor(workspace) },
      // Types count: an `import type` is an arrow too.
      tsPreCompilationDeps: true,
      // TypeScript 7 has no parser that can be called from JavaScript.
      parser: "swc",
      doNotFollow: { path: "node_modules" },
      exclude: { path: "(^|/)(dist|fixtures)/" },
      // What a package uses must be in its own package.json, not in the root's.
      combinedDependencies: false,
    },
    {
      exportsFields: ["exports"],
      conditionNames: ["@loci/source", "import", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
      bustTheCache: true,
    },
  );
  if (typeof output === "string") throw new TypeError("dependency-cruiser returned a report instead of its result");

  const read = output.modules
    .map((module) => module.source)
    .filter((file) => /^(packages|apps|tools|benchmarks|examples)\//.test(file));
  return {
    violations: output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    modules: read.length,
    unread: workspace.packages.filter((folder) => !read.some((file) => file.startsWith(`packages/${folder}/src/`))),
    unlisted: [
      ...workspace.packages.filter((folder) => arrowsOf(folder) === undefined),
      ...new Set(read.flatMap((file) => unlistedRoomOf(file) ?? [])),
    ],
  };
}

function unlistedRoomOf(file: string): string | undefined {
  const [, room] = /^packages\/engine\/src\/([^/]+)\//.exec(file) ?? [];
  // What others test themselves with stands beside the rooms.
  return room === undefined || room === "conformance" || Object.hasOwn(engineRooms, room)
    ? undefined
    : `engine/${room}`;
}
