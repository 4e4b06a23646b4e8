import { deepEqual, equal, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import type { Sequence } from "@loci/domain";
import type { Projection } from "../projection.ts";
import { crashChangeAt, crashTenant } from "./crash-log.ts";
import { IndexHistory, listedRows } from "./index-history.ts";

/** What was opened on the files that a killed program has left. */
export interface SurvivingIndexes {
  readonly projections: Readonly<Record<string, Projection>>;
  /** Those that say that they began again, and so need not stand where they were. Default none. */
  readonly begunAgain?: ReadonlySet<string> | undefined;
  close(): Promise<void>;
}

export interface KillOptions {
  /** A program that calls `applyUntilKilled`, and what it is given. */
  readonly program: string;
  readonly programArguments: readonly string[];
  readonly cycles: number;
  /** How long a program works after its first acknowledgement, cycle by cycle. */
  readonly milliseconds: (cycle: number) => number;
  readonly open: () => Promise<SurvivingIndexes>;
}

/** Acknowledgements of each index before a program is killed, however long that takes on a busy machine. */
const leastBatches = 3;
const looks = 100;

/**
 * Has a program killed again and again while it applies, maintains, purges and erases, and looks each time at what it left:
 * every index stands at what it acknowledged or further, lists the rows of exactly that place, each once, and counts as many.
 *
 * @returns how far the indexes have come
 */
export async function surviveKills(options: KillOptions): Promise<Readonly<Record<string, Sequence>>> {
  const acknowledged: Record<string, Sequence> = {};
  for (let cycle = 0; cycle < options.cycles; cycle++) {
    await runAndKill(options, options.milliseconds(cycle), acknowledged);
    const opened = await options.open();
    const { projections, begunAgain } = opened;
    for (const [name, projection] of Object.entries(projections)) {
      const place = await expectWhole(projection);
      const least = begunAgain?.has(name) === true ? 0 : (acknowledged[name] ?? 0);
      ok(place >= least, `${name} stands at ${place}, but has acknowledged ${least}`);
      acknowledged[name] = place;
    }
    await opened.close();
  }
  return acknowledged;
}

async function runAndKill(
  { program, programArguments }: KillOptions,
  milliseconds: number,
  acknowledged: Record<string, Sequence>,
): Promise<void> {
  const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, program, ...programArguments], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const batches: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;
  let isTime = false;
  let unread = "";
  const killWhenDue = (): void => {
    const counts = Object.values(batches);
    // A busy machine may have let it do nothing in that time.
    if (isTime && counts.length > 1 && counts.every((count) => count >= leastBatches)) child.kill("SIGKILL");
  };
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (unread + chunk.toString()).split("\n");
    // The last line may be cut short.
    unread = lines.pop() ?? "";
    for (const line of lines) {
      const [name = "", sequence] = line.split(" ");
      acknowledged[name] = Number(sequence);
      batches[name] = (batches[name] ?? 0) + 1;
    }
    timer ??= setTimeout(() => {
      isTime = true;
      killWhenDue();
    }, milliseconds);
    killWhenDue();
  });
  const signal = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
  equal(signal, "SIGKILL");
}

/** @returns where the index stands, when its rows are those of that place */
async function expectWhole(projection: Projection): Promise<Sequence> {
  for (let look = 1; ; look++) {
    const place = await projection.checkpoint(crashTenant);
    const rows = await listedRows(projection, crashTenant);
    // A server may still commit what the killed program has sent.
    if ((await projection.checkpoint(crashTenant)) !== place && look < looks) continue;
    const history = new IndexHistory();
    if (place > 0) history.add(Array.from({ length: place }, (_, index) => crashChangeAt(index + 1)));
    deepEqual(rows, history.rowsAt(place));
    return place;
  }
}
