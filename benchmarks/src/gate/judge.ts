import { percentile } from "../measure/percentile.ts";

/**
 * A regression is a ratio this much above its baseline, which is what a calm machine shows. Code that takes half as long
 * again is caught; a machine whose neighbours slow different work differently is not, as one calm launch is enough.
 */
export const slack = 1.25;

export interface Verdict {
  readonly name: string;
  readonly baseline: number;
  readonly ratio: number;
  readonly isRegression: boolean;
}

/**
 * Compares the ratios of one launch with the baseline. A case that was not measured at all is a regression: a gate must not
 * pass because it looked at nothing.
 */
export function judge(
  baseline: Readonly<Record<string, number>>,
  ratios: Readonly<Record<string, number>>,
): readonly Verdict[] {
  return Object.entries(baseline).map(([name, limit]) => {
    const ratio = ratios[name] ?? Infinity;
    return { name, baseline: limit, ratio, isRegression: !(ratio <= limit * slack) };
  });
}

/**
 * Compares launches of today's code with those of the baseline's that were made in turns with them. What counts is the lesser of two: the best of
 * each, since noise only adds time, and the median of each, since code that is compiled one way or another gives a process of its own a
 * better time now and then, to whichever of them it comes.
 *
 * @returns by case, with a baseline of 1
 */
export function judgeInTurns(
  cases: readonly string[],
  formers: readonly Readonly<Record<string, number>>[],
  todays: readonly Readonly<Record<string, number>>[],
): readonly Verdict[] {
  return cases.map((name) => {
    const ratioBy = (figure: (ratios: readonly number[]) => number): number => {
      const [former, today] = [formers, todays].map((launches) =>
        figure(launches.map((ratios) => ratios[name] ?? NaN)),
      );
      return (today as number) / (former as number);
    };
    const ratio = Math.min(
      ratioBy((ratios) => Math.min(...ratios)),
      ratioBy((ratios) => percentile(ratios, 0.5)),
    );
    return { name, baseline: 1, ratio, isRegression: !(ratio <= slack) };
  });
}
