import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ReplayProgram, workspaceRoot } from "./replay-programs.ts";

/** Includes the time in which Go compiles what it has not compiled before. */
export const programMilliseconds = 240_000;

/** What a program wrote. */
export interface ReplayOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program in the workspace's root while this process goes on serving.
 *
 * @throws Error with what it wrote, when it does not succeed
 */
export async function runReplay(
  { name, command: [program, ...command] }: ReplayProgram,
  environment: Readonly<Record<string, string>>,
): Promise<ReplayOutput> {
  try {
    return await promisify(execFile)(program, command, {
      cwd: workspaceRoot,
      env: { ...process.env, ...environment },
      maxBuffer: 1 << 28,
      timeout: programMilliseconds,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`The replay in ${name} failed:\n${stdout.slice(-2_000)}${stderr.slice(-8_000)}`, { cause: error });
  }
}
