import { randomNumbers } from "./random.ts";

/** A stream of random numbers of several distributions, the same for the same seed. */
export class RandomStream {
  /** From 0 up to 1. */
  readonly uniform: () => number;
  #spare: number | undefined;

  constructor(seed: number) {
    // Neighbouring seeds, such as the numbers of rows, would give streams that overlap.
    this.uniform = randomNumbers(Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d));
  }

  /** A whole number from 0 up to `end`. */
  below(end: number): number {
    return Math.floor(this.uniform() * end);
  }

  /** Of the normal distribution with mean 0 and deviation 1 (Box and Muller). */
  gaussian(): number {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined) return spare;
    const radius = Math.sqrt(-2 * Math.log(this.uniform() + 1e-18));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
}

/** Picks places with given weights. */
export class Weighted {
  readonly #sums: Float64Array;

  constructor(count: number, weight: (place: number) => number) {
    let sum = 0;
    this.#sums = Float64Array.from({ length: count }, (_, place) => (sum += weight(place)));
  }

  pick(random: RandomStream): number {
    const sums = this.#sums;
    const wanted = random.uniform() * (sums.at(-1) ?? 0);
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
