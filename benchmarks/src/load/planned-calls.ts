import { RandomStream, Weighted } from "../data/random-stream.ts";
import { type CallKind, callKinds, type CallMix } from "./call-mix.ts";

/** `poisson`: as independent callers come. `fixed`: one after the other at equal distances. */
export type ArrivalSchedule = "poisson" | "fixed";

export interface LoadPlan {
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly schedule: ArrivalSchedule;
  readonly mix: CallMix;
  readonly tenants: number;
  /** The tenant of rank n has a share of 1/n to this power: 0 gives all the same, 1 is the law of Zipf. */
  readonly skew: number;
  /** This tenant, the first one, has at least this share of the calls: from 0 to 1. Default: what the skew gives it. */
  readonly hotShare?: number | undefined;
  readonly seed: number;
}

/** A call, decided before the first one is made: what the servers do changes nothing of it. */
export interface PlannedCall {
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly tenant: number;
  readonly kind: CallKind;
  /** Decides what the call asks or says. */
  readonly seed: number;
}

/** All calls of a load in the order of their times, the same for the same plan. */
export function planCalls(plan: LoadPlan): readonly PlannedCall[] {
  const { ratePerSecond, seconds, schedule, mix, tenants, skew, hotShare, seed } = plan;
  const random = new RandomStream(seed);
  const zipf = new Weighted(tenants, (rank) => (rank + 1) ** -skew);
  const kinds = new Weighted(callKinds.length, (place) => mix[callKinds[place] as CallKind] ?? 0);
  const calls: PlannedCall[] = [];
  const distance = 1_000 / ratePerSecond;
  for (let at = 0; ;) {
    at += schedule === "fixed" ? distance : -Math.log(1 - random.uniform()) * distance;
    if (at >= seconds * 1_000) return calls;
    const isHot = hotShare !== undefined && random.uniform() < hotShare;
    calls.push({
      at,
      tenant: isHot ? 0 : zipf.pick(random),
      kind: callKinds[kinds.pick(random)] as CallKind,
      seed: random.below(2 ** 31),
    });
  }
}
