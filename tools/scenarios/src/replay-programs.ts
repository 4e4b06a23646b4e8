import { existsSync } from "node:fs";
import { join } from "node:path";
import { clientFolders, missingToolchain, pythonProgram } from "@loci/polyglot";

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
const go = join(clientFolders.go, "internal/replay");

/** The programs of all languages: first the one that the others are compared with. */
export function replayPrograms(): readonly ReplayProgram[] {
  return [
    {
      name: "typescript",
      command: [
        process.execPath,
        "--conditions=@loci/source",
        "--disable-warning=ExperimentalWarning",
        join(import.meta.dirname, "replay.ts"),
      ],
    },
    ...(existsSync(python)
      ? [
          { name: "python", command: [pythonProgram, python] as const, missing: missingToolchain("python") },
          {
            name: "python-async",
            command: [pythonProgram, python, "--async"] as const,
            missing: missingToolchain("python"),
          },
        ]
      : []),
    ...(existsSync(go)
      ? [
          {
            name: "go",
            command: ["go", "-C", clientFolders.go, "run", "./internal/replay"] as const,
            missing: missingToolchain("go"),
          },
        ]
      : []),
  ];
}
