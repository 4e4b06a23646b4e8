// Installs what the Python and Go clients are generated and tested with. Run as `npm run toolchains`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { clientFolders, pythonProgram } from "./toolchains.ts";

async function run(program: string, ...command: readonly string[]): Promise<void> {
  const [code] = (await once(spawn(program, command, { stdio: "inherit" }), "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} ${command.join(" ")} failed`);
}

async function installPython(): Promise<void> {
  await run("python3", "-m", "venv", join(clientFolders.python, ".venv"));
  await run(
    pythonProgram,
    "-m",
    "pip",
    "install",
    "--quiet",
    "--editable",
    `${clientFolders.python}[generate,check,tokens,langchain,langgraph,openai-agents,anthropic,llama-index]`,
  );
}

async function installGo(): Promise<void> {
  // Building downloads the modules and nothing that is not needed, and fills the cache.
  await run("go", "-C", clientFolders.go, "build", "tool", "./...");
  await run("go", "-C", clientFolders.go, "test", "-run", "^$", "./...");
}

// At once: the one mostly waits for the network, the other mostly compiles.
const results = await Promise.allSettled([installPython(), installGo()]);
for (const result of results) if (result.status === "rejected") throw result.reason;
