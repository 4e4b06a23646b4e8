/** Milliseconds of one window. What came in the last one that is over counts as well. */
const windowLength = 10_000;

/** How fast something was brought forward lately: two numbers that are added to. */
export class AppliedRate {
  #begun = performance.now();
  #before = 0;
  #current = 0;

  add(amount: number): void {
    this.#turn();
    this.#current += amount;
  }

  /** Over the last 10 to 20 s. */
  get perSecond(): number {
    const elapsed = this.#turn();
    return ((this.#before + this.#current) * 1_000) / (windowLength + elapsed);
  }

  /** @returns how long the window has been open */
  #turn(): number {
    const elapsed = performance.now() - this.#begun;
    const over = Math.floor(elapsed / windowLength);
    if (over === 0) return elapsed;
    this.#before = over === 1 ? this.#current : 0;
    this.#current = 0;
    this.#begun += over * windowLength;
    return elapsed - over * windowLength;
  }
}
