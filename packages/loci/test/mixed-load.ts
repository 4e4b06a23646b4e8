import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { OpenLociOptions } from "@loci/loci";
import type { ChangeLine } from "./acknowledged.ts";

/** What `programs/mix-until-killed.ts` is started with. */
export interface MixedLoad {
  readonly options: Omit<OpenLociOptions, "tenant">;
  /** Makes the words of this process unlike those of the others. */
  readonly cycle: number;
  /** Memories that must be found by their words. */
  readonly known: readonly { readonly id: string; readonly word: string }[];
  /** Words of what was erased. */
  readonly gone: readonly string[];
  /** Where indexes are moved to, one after the other. */
  readonly places: readonly string[];
  /** Where backups are made. Absent where the ledger's database has tools of its own. */
  readonly backups?: string | undefined;
}

/** What it says. */
export interface MixedLoadLine extends ChangeLine {
  readonly missing?: string;
  readonly returned?: string;
  readonly checked?: number;
  readonly findings?: readonly string[];
  readonly erased?: readonly string[];
  readonly moved?: string;
  readonly backupBegun?: string;
  readonly backup?: string;
}

/** Keeps the sources' JavaScript between programs, which makes a start three times as fast. */
const compileCache = join(tmpdir(), "loci-test-compile-cache");
/** Every other process has longer, and comes to the end of its erasures. */
const most = { lines: 40, milliseconds: [800, 4_000] } as const;

/** Runs the program until a random moment. @returns what it had said by then */
export async function runUntilKilled(load: MixedLoad): Promise<readonly MixedLoadLine[]> {
  const program = join(import.meta.dirname, "programs", "mix-until-killed.ts");
  const child = spawn(process.execPath, ["--no-warnings", "--conditions=@loci/source", program], {
    stdio: ["ignore", "pipe", "inherit"],
    // Not as an argument: there may be a password in it.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, LOCI_TEST_LOAD: JSON.stringify(load) },
  });
  const closed = once(child, "close");
  const lines: MixedLoadLine[] = [];
  const wanted = 2 + Math.floor(Math.random() * most.lines);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.endsWith("}")) continue;
    lines.push(JSON.parse(line) as MixedLoadLine);
    // Whatever is under way then: a commit, an erasure, a move, a copy of the ledger.
    if (lines.length === wanted)
      void setTimeout(Math.random() * (most.milliseconds[load.cycle % 2] ?? 0)).then(() => child.kill("SIGKILL"));
  }
  await closed;
  return lines;
}
