import { readdirSync, readFileSync } from "node:fs";

const clockTicksPerSecond = 100;

/** Processor time of a process, its threads and everything that it started, ended ones included, in milliseconds. Linux only. */
export function processorTime(processId: number): number {
  // After the name, which may hold spaces: utime, stime, cutime and cstime are fields 14 to 17.
  const fields = read(`/proc/${processId}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return childrenOf(processId).reduce(
    (sum, child) => sum + processorTime(child),
    (ticks * 1_000) / clockTicksPerSecond,
  );
}

/** The process and all that it started and that run, at any depth. */
export function processTree(processId: number): readonly number[] {
  return [processId, ...childrenOf(processId).flatMap(processTree)];
}

/** The process that started another one. @returns NaN where it cannot be read */
export function parentOf(processId: number): number {
  return Number(/^PPid:\s*(\d+)/mu.exec(read(`/proc/${processId}/status`))?.[1]);
}

function childrenOf(processId: number): readonly number[] {
  // A process may have been started by any of its threads.
  return threadsOf(processId).flatMap((thread) =>
    read(`/proc/${processId}/task/${thread}/children`)
      .trim()
      .split(" ")
      .filter((child) => child !== "")
      .map(Number),
  );
}

function threadsOf(processId: number): readonly string[] {
  try {
    return readdirSync(`/proc/${processId}/task`);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended, and on other systems. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
