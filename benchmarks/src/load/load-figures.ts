import { percentile } from "../measure/percentile.ts";
import type { CallKind } from "./call-mix.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** Milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly longest: number;
}

/** What a number of calls took, as their callers saw it. */
export interface CallFigures {
  readonly calls: number;
  readonly failed: number;
  /** How often by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** From when a call was to be made to its answer, of those that were answered as they should be. */
  readonly latency: Latency;
}

/** One load at one rate. */
export interface LoadFigures extends CallFigures {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Answered as they should be, a second, until the last answer. */
  readonly answeredPerSecond: number;
  readonly kinds: Readonly<Partial<Record<CallKind, CallFigures>>>;
  /** By how much callers were late with making calls, in milliseconds: 99 of a hundred by less. It counts in the latency. */
  readonly callerLateP99: number;
  /** Processor seconds of the load. */
  readonly processor: { readonly servers: number; readonly database: number; readonly callers: number };
}

export function callFigures(outcomes: readonly CallOutcome[]): CallFigures {
  const failures: Record<string, number> = {};
  for (const { failure } of outcomes) if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
  const answered = outcomes.filter(({ failure }) => failure === undefined).map(({ took }) => took);
  return {
    calls: outcomes.length,
    failed: outcomes.length - answered.length,
    failures,
    latency: {
      p50: rounded(percentile(answered, 0.5)),
      p99: rounded(percentile(answered, 0.99)),
      p999: rounded(percentile(answered, 0.999)),
      longest: rounded(percentile(answered, 1)),
    },
  };
}

/** Of a load whose processor time was read before and behind it. */
export function loadFigures(
  outcomes: readonly CallOutcome[],
  { ratePerSecond, seconds, processor }: Pick<LoadFigures, "ratePerSecond" | "seconds" | "processor">,
): LoadFigures {
  const kinds: Partial<Record<CallKind, CallFigures>> = {};
  for (const kind of new Set(outcomes.map((outcome) => outcome.kind)))
    kinds[kind] = callFigures(outcomes.filter((outcome) => outcome.kind === kind));
  const all = callFigures(outcomes);
  const end = outcomes.reduce((latest, { at, took }) => Math.max(latest, at + took), seconds * 1_000);
  return {
    ratePerSecond,
    seconds,
    answeredPerSecond: rounded(((all.calls - all.failed) * 1_000) / end),
    ...all,
    kinds,
    callerLateP99: rounded(
      percentile(
        outcomes.map(({ late }) => late),
        0.99,
      ),
    ),
    processor,
  };
}

/** Whether so many calls a second can be borne: none failed for lack of room, and p99 stays below what was stated. */
export function holds({ failed, latency }: CallFigures, p99: number): boolean {
  return failed === 0 && latency.p99 <= p99;
}

/** To the hundredth. `null` in JSON for what there is none of. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
