import { setTimeout as pause } from "node:timers/promises";
import { type CallKind, callKinds, type CallMix } from "./call-mix.ts";
import { Callers } from "./caller-processes.ts";
import { countSyncs } from "./count-syncs.ts";
import { type FoundRate, findHighestRate } from "./highest-rate.ts";
import type { LoadConfiguration } from "./load-configurations.ts";
import { holds, type LoadFigures, loadFigures, rounded } from "./load-figures.ts";
import type { TableSize } from "./load-database.ts";
import { LoadedServers } from "./loaded-servers.ts";
import { type ArrivalSchedule, planCalls } from "./planned-calls.ts";
import { readStatementCounts } from "./statement-counts.ts";

export interface LoadOptions {
  /** Of each load. */
  readonly seconds: number;
  /** Of a slow load before everything, in which compilers and caches do their work. */
  readonly warmSeconds: number;
  /** Of the mix. Absent: found. */
  readonly ratePerSecond?: number | undefined;
  readonly firstRate: number;
  readonly mostRate: number;
  /** What 99 of a hundred calls may take, in milliseconds. */
  readonly p99: number;
  readonly mix: CallMix;
  readonly schedule: ArrivalSchedule;
  readonly tenants: number;
  readonly memories: number;
  readonly skew: number;
  readonly callerProcesses: number;
  readonly seed: number;
  /** Calls of one kind at a time, by which its processor time, statements and syncs are counted. 0: none. */
  readonly callsOfKind: number;
  readonly onProgress: (doing: string) => void;
}

/** What a call of one kind takes of servers and database when nothing else is asked. */
export interface KindCost {
  readonly calls: number;
  /** Processor milliseconds a call. */
  readonly servers: number;
  readonly database: number;
  /** Sent by servers a call; of SQLite, those it was given. Both hold what runs beside calls. */
  readonly statements: number;
  readonly transactions: number;
  /** Waits for the disk a call. Absent where they cannot be counted. */
  readonly syncs?: number | undefined;
}

/** What it took to store a memory in calls of a hundred, with its vector, its words and all that finds it. */
export interface FillCost {
  readonly memories: number;
  /** On the disk. Holds what SQLite or PostgreSQL has not cleared up yet. */
  readonly bytes: number;
  /** Processor milliseconds. */
  readonly servers: number;
  readonly database: number;
  /** The largest tables with their indexes, of a memory. None for SQLite. */
  readonly tables: readonly TableSize[];
}

export interface MeasuredConfiguration {
  readonly configuration: LoadConfiguration;
  readonly fill: FillCost;
  readonly kinds: Readonly<Partial<Record<CallKind, KindCost>>>;
  readonly mixed: FoundRate;
}

/** Calls of one kind are this far apart: one is answered before the next, so that nothing is done for two at once. */
const kindRate = 20;
/** What follows a write is written out, and counts are told, before they are read. */
const quietMilliseconds = 300;
const timeoutMilliseconds = 20_000;

/** Starts a configuration, fills it, and puts it under load. */
export async function measureConfiguration(
  configuration: LoadConfiguration,
  options: LoadOptions,
): Promise<MeasuredConfiguration> {
  const { tenants, memories, callerProcesses, mix, firstRate, mostRate, p99, onProgress } = options;
  onProgress("starts");
  await using servers = await LoadedServers.start(configuration, { tenants });
  onProgress(`stores ${tenants} × ${memories} memories`);
  const empty = { bytes: await servers.storedBytes(), processor: servers.processorTime() };
  await using callers = await Callers.start({
    tenants: servers.tenants,
    processes: callerProcesses,
    memories,
    timeoutMilliseconds,
  });
  const full = { bytes: await servers.storedBytes(), processor: servers.processorTime() };
  const ofMemory = (sum: number): number => rounded(sum / (tenants * memories));
  const fill: FillCost = {
    memories: tenants * memories,
    bytes: ofMemory(full.bytes - empty.bytes),
    servers: ofMemory(full.processor.servers - empty.processor.servers),
    database: ofMemory(full.processor.database - empty.processor.database),
    tables: ((await servers.database?.tableSizes()) ?? []).map(({ name, bytes, rows }) => ({
      name,
      bytes: ofMemory(bytes),
      rows: ofMemory(rows),
    })),
  };
  let seed = options.seed;
  const load = async (ratePerSecond: number, seconds: number, asked: CallMix): Promise<LoadFigures> => {
    const calls = planCalls({ ...options, ratePerSecond, seconds, mix: asked, seed: ++seed });
    await pause(quietMilliseconds);
    const before = servers.processorTime();
    const { outcomes, cpuMilliseconds } = await callers.call(calls);
    const after = servers.processorTime();
    const processor = {
      servers: rounded((after.servers - before.servers) / 1_000),
      database: rounded((after.database - before.database) / 1_000),
      callers: rounded(cpuMilliseconds / 1_000),
    };
    return loadFigures(outcomes, { ratePerSecond, seconds, processor });
  };
  onProgress("warms up");
  await load(kindRate, options.warmSeconds, mix);
  const kinds: Partial<Record<CallKind, KindCost>> = {};
  if (options.callsOfKind > 0)
    for (const kind of callKinds.filter((known) => (mix[known] ?? 0) > 0)) {
      onProgress(`${kind} alone`);
      kinds[kind] = await measureKind(kind, { servers, load, calls: options.callsOfKind });
    }
  const atRate = (rate: number): Promise<LoadFigures> => {
    onProgress(`${rate} calls a second for ${options.seconds} s`);
    return load(rate, options.seconds, mix);
  };
  const { ratePerSecond } = options;
  const mixed =
    ratePerSecond === undefined
      ? await findHighestRate({ first: firstRate, most: mostRate, p99, refinements: 2, load: atRate })
      : oneRate(await atRate(ratePerSecond), p99);
  return { configuration, fill, kinds, mixed };
}

/** Of a load whose rate was stated. */
function oneRate(figures: LoadFigures, p99: number): FoundRate {
  return { steps: [figures], ...(holds(figures, p99) ? { highest: figures } : {}) };
}

interface KindMeasure {
  readonly servers: LoadedServers;
  readonly load: (ratePerSecond: number, seconds: number, mix: CallMix) => Promise<LoadFigures>;
  readonly calls: number;
}

async function measureKind(kind: CallKind, { servers, load, calls }: KindMeasure): Promise<KindCost> {
  await pause(quietMilliseconds);
  const before = readStatementCounts(servers.counts);
  const figures = await load(kindRate, calls / kindRate, { [kind]: 1 });
  await pause(quietMilliseconds);
  const after = readStatementCounts(servers.counts);
  const each = (sum: number): number => rounded(sum / Math.max(1, figures.calls));
  let counted = 0;
  const { processIds } = servers;
  const syncs = await countSyncs([...processIds.servers, ...processIds.database], async () => {
    ({ calls: counted } = await load(kindRate, Math.min(2, calls / kindRate), { [kind]: 1 }));
    await pause(quietMilliseconds);
  });
  return {
    calls: figures.calls,
    servers: each(figures.processor.servers * 1_000),
    database: each(figures.processor.database * 1_000),
    statements: each(after.statements - before.statements),
    transactions: each(after.transactions - before.transactions),
    ...(syncs === undefined ? {} : { syncs: rounded(syncs / Math.max(1, counted)) }),
  };
}
