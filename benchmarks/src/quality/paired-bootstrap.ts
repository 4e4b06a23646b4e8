import { meanOf } from "./evidence-share.ts";

/** A mean difference with its 95% interval. */
export interface PairedDifference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const resamples = 2_000;

/**
 * How much more `ours` is than `theirs` over the same questions: the mean difference, and between which values it lies in
 * 95% of 2,000 resamples of the questions. The same numbers give the same interval.
 */
export function pairedDifference(ours: readonly number[], theirs: readonly number[]): PairedDifference {
  if (ours.length !== theirs.length) throw new Error(`${ours.length} and ${theirs.length} values are no pairs.`);
  const differences = ours.map((value, index) => value - (theirs[index] as number));
  const random = mulberry32(20_261_122);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let draw = 0; draw < differences.length; draw++)
      sum += differences[Math.floor(random() * differences.length)] as number;
    return sum / differences.length;
  }).toSorted((left, right) => left - right);
  return {
    mean: meanOf(differences),
    low: means[Math.floor(resamples * 0.025)] as number,
    high: means[Math.ceil(resamples * 0.975) - 1] as number,
  };
}

/** Numbers from 0 to 1, 1 excluded, the same for the same seed. Source: Tommy Ettinger's mulberry32, public domain. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
