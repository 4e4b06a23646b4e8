import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ReplayProgram, workspaceRoot } from "./replay-programs.ts";

/** Includes the time in which Go compiles what it has not compiled before. */
export const programMilliseconds = 240_000;

/**
 * Runs a program in the workspace's root while this process goes on serving.
 *
 * @returns what it printed
 * @throws Error with what it wrote, when it does not succeed
 */
export async function runReplay(
  { name, command: [program, ...command] }: ReplayProgram,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, command, {
      cwd: workspaceRoot,
      env: { ...process.env, ...environment },
      maxBuffer: 1 << 28,
      timeout: programMilliseconds,
    });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`The replay in ${name} failed:\n${stdout.slice(-2_000)}${stderr}`, { cause: error });
  }
}
