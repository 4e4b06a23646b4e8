import { holds, type LoadFigures } from "./load-figures.ts";

export interface RateSearch {
  /** Calls a second to begin with. */
  readonly first: number;
  /** The most that is tried. */
  readonly most: number;
  /** Milliseconds. */
  readonly p99: number;
  /** How often the distance between what holds and what does not is halved. */
  readonly refinements: number;
  readonly load: (ratePerSecond: number) => Promise<LoadFigures>;
}

export interface FoundRate {
  /** Every load, in the order they were made. */
  readonly steps: readonly LoadFigures[];
  /** The one with the highest rate that holds. Absent: none did. */
  readonly highest?: LoadFigures | undefined;
}

/** Doubles the rate until it does not hold, or halves it until it does, and then looks between the two. */
export async function findHighestRate({ first, most, p99, refinements, load }: RateSearch): Promise<FoundRate> {
  const steps: LoadFigures[] = [];
  const range: { low: number; high: number; highest?: LoadFigures } = { low: 0, high: Infinity };
  const step = async (rate: number): Promise<void> => {
    const figures = await load(rate);
    steps.push(figures);
    if (holds(figures, p99)) Object.assign(range, { low: rate, highest: figures });
    else range.high = rate;
  };
  await step(first);
  while (range.high === Infinity && range.low < most) await step(Math.min(most, range.low * 2));
  while (range.low === 0 && range.high > 1) await step(range.high / 2);
  for (let refinement = 0; refinement < refinements && range.low > 0 && range.high < Infinity; refinement++)
    await step(Math.round((range.low + range.high) / 2));
  return { steps, highest: range.highest };
}
