import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What the scorer that comes with the data says of answers, or why it says nothing. */
export type Score = Readonly<Record<string, unknown>> | string;

/** Longest a scorer may take, in milliseconds. */
const longestRun = 60_000;

/**
 * Runs the data's own scorer, a program in Python without dependencies. The matching rule is its, so that figures of others compare.
 *
 * @param answers file with what was made of the data
 * @param data file with the lines that are scored
 */
export function scoreOf(folder: string, what: "dialogues" | "pairs" | "secrets", answers: string, data: string): Score {
  const scorer = join(folder, "score.py");
  if (!existsSync(scorer)) return "SKIPPED: the data has no score.py.";
  const { status, stdout, error } = spawnSync("python3", [scorer, what, answers, "--data", data, "--json"], {
    encoding: "utf8",
    timeout: longestRun,
  });
  if (status !== 0) return `SKIPPED: score.py did not run${error === undefined ? "" : ` (${error.message})`}.`;
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

/** The figures that targets are set for, in one line. */
export function lineOf(score: Score, names: readonly string[]): string {
  if (typeof score === "string") return score;
  return names.map((name) => `${name} ${shown(score[name])}`).join("  ");
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
