import { setTimeout as pause } from "node:timers/promises";
import type { CallMix } from "../call-mix.ts";
import { unexplained } from "../call-outcome.ts";
import { Callers } from "../caller-processes.ts";
import type { LoadConfiguration } from "../load-configurations.ts";
import { type CallFigures, callFigures } from "../load-figures.ts";
import { LoadedServers } from "../loaded-servers.ts";
import { planCalls } from "../planned-calls.ts";
import type { Fault } from "./fault.ts";
import { type MoveCounts, ShardMoves } from "./shard-moves.ts";
import type { StruckServers } from "./struck-servers.ts";
import { findBroken } from "./whole-tenants.ts";

export interface FaultsOptions {
  readonly configuration: LoadConfiguration;
  readonly seconds: number;
  readonly ratePerSecond: number;
  readonly mix: CallMix;
  readonly tenants: number;
  readonly memories: number;
  readonly seed: number;
  /** One after the other, again and again; those that do not fit are left out. */
  readonly faults: readonly Fault[];
  /** From the beginning of one fault to that of the next; later when the one before is not over. */
  readonly secondsBetween: number;
  /** From one move of a tenant to the next on average, where servers have shards. */
  readonly secondsBetweenMoves: number;
  /** How long faults last that have a length. */
  readonly secondsOfFault: number;
  /** What a call may take until its caller gives up, in milliseconds. */
  readonly timeoutMilliseconds: number;
  /** What the clock of the second server is ahead of the first one's, in seconds. Default 0. */
  readonly clockAheadSeconds?: number | undefined;
  readonly onProgress?: ((doing: string) => void) | undefined;
}

/** What became of a load while things went wrong. */
export interface FaultsReport extends CallFigures {
  /** How often each went wrong. */
  readonly faults: Readonly<Record<string, number>>;
  /** Of tenants between the shards of a server, where it has some. */
  readonly moves?: MoveCounts | undefined;
  /** Tenants that are afterwards not in one shard with all of their indexes, and what the doctor finds. */
  readonly broken: readonly string[];
  /** Calls and moves that were not answered, or whose answer tells nobody why: what they said, each once. */
  readonly unexplained: readonly string[];
  readonly acknowledged: number;
  /** What was acknowledged and is not there as it was acknowledged, or there twice. */
  readonly lost: readonly string[];
}

const clockShift = new URL("shift-clock.ts", import.meta.url).href;
/** Calls are made for so long after the last fault, so that it is seen that all is well again. */
const calmSeconds = 2;

/** Makes calls while one thing after the other goes wrong, and then looks for everything that was acknowledged. */
export async function loadWithFaults(options: FaultsOptions): Promise<FaultsReport> {
  const { configuration, tenants, memories, timeoutMilliseconds, onProgress = () => undefined } = options;
  const { clockAheadSeconds = 0 } = options;
  const environmentOf = (place: number): Record<string, string> =>
    place === 1 && clockAheadSeconds !== 0
      ? { NODE_OPTIONS: `--import=${clockShift}`, LOCI_CLOCK_AHEAD_SECONDS: String(clockAheadSeconds) }
      : {};
  await using servers = await LoadedServers.start(configuration, { tenants, environmentOf });
  await using callers = await Callers.start({
    tenants: servers.tenants,
    processes: 1,
    memories,
    timeoutMilliseconds,
  });
  const calls = planCalls({ ...options, schedule: "poisson", skew: 1 });
  const faults: Record<string, number> = {};
  let striking: Promise<void> = Promise.resolve();
  const [server] = servers.servers;
  const names = servers.tenants.map(({ name }) => name);
  const hasShards = configuration.ledger === "sqlite" && configuration.workers !== undefined && server !== undefined;
  const moves = hasShards ? new ShardMoves(server, names) : undefined;
  const { database } = servers;
  const struck: StruckServers = { servers: servers.servers, database, moves };
  const enough = new AbortController();
  let moving: Promise<void> | undefined;
  const { outcomes } = await callers.call(calls, (beginning) => {
    moving = moves?.run(options.secondsBetweenMoves, enough.signal);
    moving?.catch(() => undefined);
    striking = strikeAgainAndAgain(struck, options, beginning, (name) => {
      faults[name] = (faults[name] ?? 0) + 1;
      onProgress(`${Math.round((Date.now() - beginning) / 1_000)} s: ${name}`);
    });
    // Told below, once all calls have ended.
    striking.catch(() => undefined);
  });
  await striking;
  enough.abort();
  await moving;
  onProgress("looks for what was acknowledged");
  const { acknowledged, lost } = await callers.check();
  const broken = hasShards ? await findBroken(server, names) : [];
  const silent = outcomes.filter(({ failure }) => failure !== undefined && unexplained.has(failure));
  return {
    ...callFigures(outcomes),
    faults,
    moves: moves?.counts,
    broken,
    unexplained: [
      ...new Set(silent.map(({ kind, failure, message }) => `${kind}: ${message ?? failure}`)),
      ...(moves?.unexplained ?? []),
    ],
    acknowledged,
    lost,
  };
}

async function strikeAgainAndAgain(
  struck: StruckServers,
  { faults, seconds, secondsBetween, secondsOfFault }: FaultsOptions,
  beginning: number,
  onStrike: (name: string) => void,
): Promise<void> {
  const fitting = faults.filter((fault) => fault.fits(struck));
  const end = beginning + (seconds - calmSeconds) * 1_000;
  for (let strike = 0; ; strike++) {
    const next = Math.max(Date.now(), beginning + (strike + 0.5) * secondsBetween * 1_000);
    if (next >= end) return;
    await pause(next - Date.now());
    const fault = fitting[strike % fitting.length] as Fault;
    onStrike(fault.name);
    await fault.strike(struck, secondsOfFault);
  }
}
