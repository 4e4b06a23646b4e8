import { LociError } from "@loci/domain";

/** What is kept of one owner between two rotations. */
export interface AdaptiveThreshold {
  /** The share of its maximum above which a block rotates: 0.60 to 0.95. */
  readonly threshold: number;
  /** The last usages, oldest first, at most ten. */
  readonly usages: readonly number[];
}

/** What one usage led to. */
export interface AdaptiveStep {
  readonly rotate: boolean;
  readonly next: AdaptiveThreshold;
}

/** Before the first usage. `LOCI_ARCHIVAL_ROTATION_THRESHOLD` may say another number. */
export const initialThreshold: AdaptiveThreshold = { threshold: 0.8, usages: [] };

const lowest = 0.6;
const highest = 0.95;
const step = 0.05;
const windowLength = 10;
const leastUsages = 5;

/**
 * Decides one usage against the threshold in force, strictly, and then lets it move the threshold: up where blocks stay
 * half empty, down where they stay full.
 *
 * @param usage share of the maximum, from 0 on; above 1 when the block is over it
 * @throws LociError `INVALID_NUMBER` for a usage that is negative or no number
 */
export function decideRotation(state: AdaptiveThreshold, usage: number): AdaptiveStep {
  if (!Number.isFinite(usage) || usage < 0)
    throw new LociError("INVALID_NUMBER", {
      message: `usage must be a number from 0 on, but is ${usage}.`,
      field: "usage",
      advice: "Pass the length of the shown text divided by its maximum.",
    });
  const usages = [...state.usages, usage].slice(-windowLength);
  return { rotate: usage > state.threshold, next: { threshold: moved(state.threshold, usages), usages } };
}

function moved(threshold: number, usages: readonly number[]): number {
  if (usages.length < leastUsages) return threshold;
  // Sums of such shares are off in their last digits: ten times 0.9 must not be more than 0.9 in the mean.
  const mean = Number((usages.reduce((sum, usage) => sum + usage, 0) / usages.length).toFixed(9));
  if (mean < 0.5) return Math.min(highest, rounded(threshold + step));
  if (mean > 0.9) return Math.max(lowest, rounded(threshold - step));
  return threshold;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
