import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { clientFolders, type Language, missingToolchain, pythonProgram } from "@loci/polyglot";

export const workspaceRoot: string = join(import.meta.dirname, "../../..");
export const scenarioFile: string = join(workspaceRoot, "conformance/scenarios.jsonl");

/** A program that replays the scenario through the client of a language. */
export interface ReplayProgram {
  /** Also its tenant. */
  readonly name: string;
  readonly command: readonly [program: string, ...command: readonly string[]];
  /** Why it cannot be run here. */
  readonly missing?: string | undefined;
}

const python = join(clientFolders.python, "conformance/replay.py");

/** The programs of all languages: first the one that the others are compared with. @throws Error when CI lacks one */
export function replayPrograms(): readonly ReplayProgram[] {
  const typescript = join(import.meta.dirname, "replay.ts");
  const options = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
  const missingPython = missingProgram("python", python);
  const go = join(clientFolders.go, "internal/replay");
  return [
    { name: "typescript", command: [process.execPath, ...options, typescript] },
    { name: "python", command: [pythonProgram, python], missing: missingPython },
    { name: "python-async", command: [pythonProgram, python, "--async"], missing: missingPython },
    {
      name: "go",
      command: ["go", "-C", clientFolders.go, "run", "./internal/replay"],
      missing: missingProgram("go", go),
    },
  ];
}

function missingProgram(language: Language, path: string): string | undefined {
  if (existsSync(path)) return missingToolchain(language);
  if (process.env["CI"] === "true") throw new Error(`CI must have ${path}`);
  return `there is no ${relative(workspaceRoot, path)}`;
}
