import { vi } from "vitest";
import { runCommandLine } from "../src/command-line.ts";
import { exitCodeOf, printError } from "../src/output/print-error.ts";

/** What a person would see of a command. */
export interface EndedCommand {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command line in this process. */
export async function runCommand(words: readonly string[]): Promise<EndedCommand> {
  const seen = { out: "", error: "" };
  vi.spyOn(console, "log").mockImplementation((text: string) => void (seen.out += `${text}\n`));
  vi.spyOn(console, "error").mockImplementation((text: string) => void (seen.error += `${text}\n`));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((seen.out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((seen.error += String(text)), true));
  try {
    await runCommandLine(words, { signal: new AbortController().signal });
    return { code: 0, ...seen };
  } catch (error) {
    printError(error, { json: words.includes("--json") });
    return { code: exitCodeOf(error), ...seen };
  } finally {
    vi.restoreAllMocks();
  }
}
