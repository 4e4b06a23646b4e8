import { callKinds, type CallMix } from "../call-mix.ts";
import type { KindCost, MeasuredConfiguration } from "../measure-configuration.ts";
import { assumed, goal } from "./scale-goal.ts";

/** What a second of the whole mix takes at the goal, multiplied from what one call took. */
export interface ScaledLoad {
  readonly callsPerSecond: number;
  /** Cores at full use. */
  readonly serverCores: number;
  readonly databaseCores: number;
  readonly statementsPerSecond: number;
  readonly syncsPerSecond: number;
}

/** Something that gives way, and where on the way to the goal. */
export interface ScaleLimit {
  readonly what: string;
  /** In its own words, such as `310 recalls a second`. */
  readonly reached: string;
  /** Of the goal: 0.31. */
  readonly share: number;
}

/** All calls of the mix, with so many recalls a second in it. */
export function scaledMix({ kinds }: MeasuredConfiguration, mix: CallMix, recallsPerSecond: number): ScaledLoad {
  const load = { callsPerSecond: 0, serverCores: 0, databaseCores: 0, statementsPerSecond: 0, syncsPerSecond: 0 };
  for (const kind of callKinds) {
    const cost = kinds[kind];
    if (cost === undefined) continue;
    const calls = (recallsPerSecond * (mix[kind] ?? 0)) / (mix.recall ?? 1);
    load.callsPerSecond += calls;
    load.serverCores += (calls * cost.servers) / 1_000;
    load.databaseCores += (calls * cost.database) / 1_000;
    load.statementsPerSecond += calls * cost.statements;
    load.syncsPerSecond += calls * (cost.syncs ?? 0);
  }
  return load;
}

/** Of one configuration, what gives way first at the top. */
export function limitsOf(measured: MeasuredConfiguration, mix: CallMix): readonly ScaleLimit[] {
  const { configuration, kinds, fill } = measured;
  const one = scaledMix(measured, mix, 1);
  const recall = kinds.recall as KindCost;
  const recalls = (what: string, perSecond: number): ScaleLimit => ({
    what,
    reached: `${inWords(perSecond)} recalls a second`,
    share: perSecond / goal.recallsPerSecond,
  });
  const memories = assumed.diskBytes / fill.bytes;
  const limits = [
    recalls("one core for a server, recalls alone", (1_000 / recall.servers) * assumed.usedShare),
    recalls(
      `a machine of ${assumed.serverCores} cores for servers, the whole mix`,
      (assumed.serverCores / one.serverCores) * assumed.usedShare,
    ),
    {
      what: `a disk of ${assumed.diskBytes / 1e12} TB`,
      reached: `${inWords(memories)} memories`,
      share: memories / goal.memories,
    },
    ...(one.syncsPerSecond === 0
      ? []
      : [
          recalls(
            `a disk that syncs ${inWords(assumed.syncsPerSecond)} times a second`,
            assumed.syncsPerSecond / one.syncsPerSecond,
          ),
        ]),
    ...(configuration.ledger === "sqlite"
      ? []
      : [
          recalls(
            `a database of ${assumed.databaseCores} cores, the whole mix`,
            (assumed.databaseCores / one.databaseCores) * assumed.usedShare,
          ),
        ]),
  ];
  return limits.toSorted((left, right) => left.share - right.share);
}

/** `1,230`, `4.2 million`, `1.5 billion`; two digits of what is large. */
export function inWords(value: number): string {
  if (value >= 1e9) return `${Number((value / 1e9).toPrecision(2)).toLocaleString("en")} billion`;
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(2)).toLocaleString("en")} million`;
  return Number(value.toPrecision(value < 1 ? 2 : 3)).toLocaleString("en", { maximumSignificantDigits: 3 });
}
