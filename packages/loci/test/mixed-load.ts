import type { OpenLociOptions } from "@loci/loci";
import type { ChangeLine } from "./acknowledged.ts";
import { runUntilKilled } from "./run-until-killed.ts";

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

/** Every other process has longer, and comes to the end of its erasures. */
const most = { lines: 40, milliseconds: [800, 4_000] } as const;

/** Runs the program until a random moment: a commit, an erasure, a move or a copy of the ledger is under way then. */
export function runMixedLoad(load: MixedLoad): Promise<readonly MixedLoadLine[]> {
  return runUntilKilled("mix-until-killed.ts", load, {
    afterLines: 2 + Math.floor(Math.random() * most.lines),
    withinMilliseconds: most.milliseconds[load.cycle % 2] ?? 0,
  });
}
