import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { PostgresLedgerOptions } from "../src/index.ts";

/** A program of the `programs` folder, run from source. */
export interface RunningProgram {
  readonly pid: number | undefined;
  /** What it has printed so far, line by line. */
  readonly lines: readonly string[];
  /** Resolves when it has printed so many lines, or has ended. */
  printed(lines: number): Promise<void>;
  /** Kills it the hard way and waits until it and its output are gone. */
  kill(): Promise<void>;
}

/** Keeps the sources' JavaScript between programs, which makes a start three times as fast. */
const compileCache = join(tmpdir(), "loci-test-compile-cache");

/** Starts a program that opens a ledger with these options. */
export function startProgram(
  name: string,
  options: PostgresLedgerOptions,
  ...values: readonly string[]
): RunningProgram {
  const program = join(import.meta.dirname, "programs", name);
  const child = spawn(process.execPath, ["--conditions=@loci/source", program, ...values], {
    stdio: ["ignore", "pipe", "inherit"],
    // Not as an argument: there is a password in it.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, LOCI_TEST_LEDGER: JSON.stringify(options) },
  });
  const lines: string[] = [];
  const ended = once(child, "close");
  let onLine = (): void => undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    onLine();
  });
  return {
    pid: child.pid,
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
