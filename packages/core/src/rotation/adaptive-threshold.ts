import { rotationThresholds } from "./rotation-usage.ts";

/** What is kept of an owner between rotations. */
export interface AdaptiveThreshold {
  readonly threshold: number;
  /** The last usages, at most 10, oldest first. */
  readonly usages: readonly number[];
}

const window = 10;
const fewest = 5;
const step = 0.05;
const lowest = 0.6;
const highest = 0.95;

/** Where every owner begins. */
export const initialThreshold: AdaptiveThreshold = { threshold: rotationThresholds.adaptive, usages: [] };

/** Decides about a usage by the threshold in force, then lets the threshold learn from it. */
export function adaptThreshold(
  before: AdaptiveThreshold,
  usage: number,
): { readonly rotate: boolean; readonly after: AdaptiveThreshold } {
  const usages = [...before.usages, usage].slice(-window);
  return {
    rotate: usage > before.threshold,
    after: { threshold: usages.length < fewest ? before.threshold : movedBy(before.threshold, usages), usages },
  };
}

/** Up where there is room, so that more stays; down where it is always full, so that it is emptied earlier. */
function movedBy(threshold: number, usages: readonly number[]): number {
  const mean = usages.reduce((sum, usage) => sum + usage, 0) / usages.length;
  if (mean < 0.5) return Math.min(highest, rounded(threshold + step));
  return mean > 0.9 ? Math.max(lowest, rounded(threshold - step)) : threshold;
}

function rounded(threshold: number): number {
  return Math.round(threshold * 100) / 100;
}
