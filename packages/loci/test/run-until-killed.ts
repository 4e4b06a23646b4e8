import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

/** When a program is killed: some time, up to so many milliseconds, after it has said so many lines. */
export interface KillTime {
  readonly afterLines: number;
  readonly withinMilliseconds: number;
}

/** Keeps the sources' JavaScript between programs, which makes a start three times as fast. */
const compileCache = join(tmpdir(), "loci-test-compile-cache");

/**
 * Runs a program of `programs` until it ends, or is killed at a random moment.
 *
 * @param load what it reads from `LOCI_TEST_LOAD`
 * @returns the lines of JSON that it had said by then
 */
export async function runUntilKilled<Line>(
  program: string,
  load: unknown,
  { afterLines, withinMilliseconds }: KillTime,
): Promise<readonly Line[]> {
  const file = join(import.meta.dirname, "programs", program);
  const child = spawn(process.execPath, ["--no-warnings", "--conditions=@loci/source", file], {
    stdio: ["ignore", "pipe", "inherit"],
    // Not as an argument: there may be a password in it.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, LOCI_TEST_LOAD: JSON.stringify(load) },
  });
  const closed = once(child, "close");
  const lines: Line[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.endsWith("}")) continue;
    lines.push(JSON.parse(line) as Line);
    if (lines.length === afterLines)
      void setTimeout(Math.random() * withinMilliseconds).then(() => child.kill("SIGKILL"));
  }
  await closed;
  return lines;
}
