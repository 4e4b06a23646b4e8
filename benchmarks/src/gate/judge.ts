/**
 * A regression is a ratio this much above its baseline, which is what a calm machine shows. Code that takes half as long
 * again is caught; a machine whose neighbours slow different work differently is not, as one calm launch is enough.
 */
export const slack = 1.25;

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
