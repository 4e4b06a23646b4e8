import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A program of the `programs` folder, run from source. */
export interface RunningProgram {
  readonly process: ChildProcess;
  /** What it has printed so far, line by line. */
  readonly lines: readonly string[];
  /** Resolves when it has printed so many lines, or has ended. */
  printed(lines: number): Promise<void>;
  /** Kills it the hard way and waits until it and its output are gone. */
  kill(): Promise<void>;
}

/** Keeps the sources' JavaScript between programs, which makes a start three times as fast. */
const compileCache = join(tmpdir(), "loci-test-compile-cache");

export function startProgram(name: string, ...values: readonly string[]): RunningProgram {
  const program = join(import.meta.dirname, "programs", name);
  const child = spawn(process.execPath, ["--expose-gc", "--conditions=@loci/source", program, ...values], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  const lines: string[] = [];
  const ended = once(child, "close");
  const output = createInterface({ input: child.stdout });
  let onLine = (): void => undefined;
  output.on("line", (line) => {
    lines.push(line);
    onLine();
  });
  return {
    process: child,
    lines,
    printed: (count) =>
      new Promise((resolve) => {
        onLine = () => lines.length >= count && resolve();
        onLine();
        void ended.then(() => resolve());
      }),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
