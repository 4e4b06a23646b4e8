import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { processTree } from "./processor-time.ts";

const syncs = ["fsync", "fdatasync", "sync_file_range", "syncfs", "msync"];

/** Why syncs cannot be counted here: `undefined` when they can. */
export function missingSyncCount(): string | undefined {
  return spawnSync("strace", ["-V"]).status === 0 ? undefined : "strace is not installed";
}

/**
 * Counts the calls by which processes, and all that they started, wait for the disk while some work is done. strace stops
 * them at each system call, so that nothing else may be measured meanwhile.
 *
 * @returns `undefined` where they may not be looked at
 */
export async function countSyncs(
  processIds: readonly number[],
  work: () => Promise<unknown>,
): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "loci-syncs-"));
  const file = join(folder, "calls");
  const attached = processIds.flatMap(processTree).flatMap((process) => ["-p", String(process)]);
  const strace = spawn("strace", ["-f", "-qq", "-e", `trace=${syncs.join(",")}`, "-o", file, ...attached], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  try {
    await pause(500);
    if (strace.exitCode !== null) return undefined;
    await work();
    const ended = once(strace, "exit");
    strace.kill("SIGINT");
    await ended;
    // A call that was interrupted by another thread's stands there twice: its beginning, and that it went on.
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => /^\d+\s+[a-z_]+\(/u.test(line)).length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
