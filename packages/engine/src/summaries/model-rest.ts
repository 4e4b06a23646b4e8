/** So many failures in a row are no accident. */
const patience = 2;
const firstRest = 15_000;
const longestRest = 300_000;

/**
 * Keeps calls that wait for an answer from asking a model that is down: after two failures in a row for 15 s, and after each further
 * one twice as long, 5 minutes at most. One answer ends it.
 */
export class ModelRest {
  readonly #clock: () => number;
  #failures = 0;
  #answers = 0;
  #until = -Infinity;

  /** @param clock in milliseconds, never going back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** How much longer not to ask, in milliseconds. 0: ask. */
  get remaining(): number {
    return Math.max(0, this.#until - this.#clock());
  }

  /** How many there were so far. */
  get answers(): number {
    return this.#answers;
  }

  failed(): void {
    this.#failures++;
    if (this.#failures < patience) return;
    this.#until = this.#clock() + Math.min(longestRest, firstRest * 2 ** (this.#failures - patience));
  }

  answered(): void {
    this.#answers++;
    this.#failures = 0;
    this.#until = -Infinity;
  }
}
