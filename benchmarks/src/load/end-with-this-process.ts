import type { ChildProcess } from "node:child_process";

const children = new Set<ChildProcess>();
let isWatching = false;

/** Lets a process not outlive this one, also where this one is interrupted or told to end. */
export function endWithThisProcess(child: ChildProcess): void {
  children.add(child);
  child.once("exit", () => children.delete(child));
  if (isWatching) return;
  isWatching = true;
  process.once("exit", () => {
    for (const each of children) each.kill("SIGKILL");
  });
  // The shell's convention for a process that a signal ended.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
}
