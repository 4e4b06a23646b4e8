import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspaceRoot } from "./public-packages.ts";

/** What runs programs besides the Node of this workspace. */
export interface Runtime {
  readonly title: string;
  /** The npm package whose files, or whose dependency's, are the program. */
  readonly from: string;
  /** Where it is once that is installed. */
  readonly program: string;
  /** What stands before the name of the program that it runs. */
  readonly command: readonly string[];
}

const folder = join(workspaceRoot, "node_modules/.cache/runtimes");

function node(major: number): Runtime {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const alias = `node-${major}`;
  return {
    title: `Node ${major}`,
    from: `${alias}@npm:${name}@${major}`,
    program: join(folder, "node_modules", alias, "bin/node"),
    command: [],
  };
}

/** The runtimes that the packages are made for. */
export const runtimes: readonly Runtime[] = [
  node(22),
  { title: "Bun", from: "bun", program: join(folder, "node_modules/.bin/bun"), command: [] },
  { title: "Deno", from: "deno", program: join(folder, "node_modules/.bin/deno"), command: ["run", "--allow-all"] },
];

/** A Node that is too old for them. */
export const formerNode: Runtime = node(20);

/**
 * Installs a runtime from npm into a cache of the workspace, once.
 *
 * @returns why it is not to be had here, or `undefined` when it is there
 */
export function missingRuntime({ from, program }: Runtime): string | undefined {
  try {
    if (!existsSync(program)) install(from);
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return undefined;
  } catch (error) {
    return `npm's ${from} does not give it here: ${(error as Error).message.split("\n")[0]}`;
  }
}

function install(name: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, `{ "name": "runtimes", "private": true }\n`);
  const command = ["install", "--no-audit", "--no-fund", "--prefer-offline", name];
  execFileSync("npm", command, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
}
