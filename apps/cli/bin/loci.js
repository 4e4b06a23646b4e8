#!/usr/bin/env node
// The `loci` command. Committed as JavaScript because npm links only a bin whose file exists at install time.
// The published package runs its build; a checkout runs the TypeScript source, so nothing has to be built first.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = new URL("../src/main.ts", import.meta.url);
const workspaceNode = new URL("../../../node_modules/.bin/node", import.meta.url);
const oldestNode = { major: 22, minor: 13 };

// Compiled code is kept where Node keeps it by default: most of what a short command does is compiling.
const compileCache = process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "node-compile-cache");

if (existsSync(source)) runSource();
else if (isSupported(process.versions.node)) await runBuild();
else refuse();

async function runBuild() {
  module.enableCompileCache(compileCache);
  await import("../dist/main.js");
}

function runSource() {
  const supported = isSupported(process.versions.node);
  if (!supported && !existsSync(workspaceNode)) return refuse();

  const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
  // Node strips types unasked from 22.18 on; the workspace's own node is newer than that.
  if (supported && !process.features.typescript) flags.push("--experimental-strip-types");
  const child = spawn(
    supported ? process.execPath : fileURLToPath(workspaceNode),
    [...flags, fileURLToPath(source), ...process.argv.slice(2)],
    { stdio: "inherit", env: { ...process.env, NODE_COMPILE_CACHE: compileCache } },
  );

  // A terminal sends Ctrl-C to the whole process group: the child already has it, this process only has to outlive it.
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !atTerminal) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    console.error(`loci: cannot start Node: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    // The shell's convention for a process that a signal ended.
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
}

/** @param {string} version */
function isSupported(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldestNode.major || (major === oldestNode.major && minor >= oldestNode.minor);
}

function refuse() {
  console.error(
    `loci needs Node ${oldestNode.major}.${oldestNode.minor} or newer; this is Node ${process.versions.node}.`,
  );
  process.exitCode = 1;
}
