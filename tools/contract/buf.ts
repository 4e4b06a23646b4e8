import { execFileSync } from "node:child_process";
import { join } from "node:path";

export const workspaceRoot: string = join(import.meta.dirname, "../..");

/** Runs buf in a folder. @throws Error with what buf said, when it does not succeed */
export function buf(directory: string, ...command: string[]): void {
  try {
    execFileSync(join(workspaceRoot, "node_modules/.bin/buf"), command, {
      cwd: directory,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`buf ${command[0] ?? ""} in ${directory} failed:\n${stdout ?? ""}${stderr ?? ""}`, {
      cause: error,
    });
  }
}
