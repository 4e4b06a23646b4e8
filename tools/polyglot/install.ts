// Installs what the Python and Go clients are generated and tested with. Run as `npm run toolchains`.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { clientFolders, pythonProgram } from "./toolchains.ts";

function run(program: string, ...command: readonly string[]): void {
  execFileSync(program, command, { stdio: "inherit" });
}

run("python3", "-m", "venv", join(clientFolders.python, ".venv"));
run(pythonProgram, "-m", "pip", "install", "--quiet", "--editable", `${clientFolders.python}[generate]`);
// Building downloads the modules and nothing that is not needed, and fills the cache.
run("go", "-C", clientFolders.go, "build", "tool", "./...");
run("go", "-C", clientFolders.go, "test", "-run", "^$", "./...");
