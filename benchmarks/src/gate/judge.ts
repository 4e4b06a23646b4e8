/** A regression is a ratio this much above its baseline: a third slower is caught, a noisy machine is not. */
export const slack = 1.12;

export interface Verdict {
  readonly name: string;
  readonly baseline: number;
  /** The best ratio of the launches so far. */
  readonly best: number;
  readonly isRegression: boolean;
}

/**
 * Compares the best ratio over several launches with the baseline. The best, because noise only ever adds time.
 * A case that was not measured at all is a regression: a gate must not pass because it looked at nothing.
 */
export function judge(
  baseline: Readonly<Record<string, number>>,
  launches: readonly Readonly<Record<string, number>>[],
): readonly Verdict[] {
  return Object.entries(baseline).map(([name, limit]) => {
    const best = Math.min(...launches.map((ratios) => ratios[name] ?? Infinity));
    return { name, baseline: limit, best, isRegression: !(best <= limit * slack) };
  });
}
