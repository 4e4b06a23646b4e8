import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export const workspaceRoot: string = join(import.meta.dirname, "../../..");

/** Includes the time in which Go compiles what it has not compiled before. */
export const programMilliseconds = 240_000;

/**
 * Runs a program in the workspace's root while this process goes on serving.
 *
 * @param input what it reads from standard input
 * @returns what it wrote to standard output
 * @throws Error with everything it wrote, when it does not succeed
 */
export async function runProgram(
  program: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = "",
): Promise<string> {
  try {
    const running = promisify(execFile)(program, command, {
      cwd: workspaceRoot,
      env: { ...process.env, ...environment },
      maxBuffer: 1 << 24,
      timeout: programMilliseconds,
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${command.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
