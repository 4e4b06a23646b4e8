/** How long the steps of a call took, in milliseconds. A step that comes several times is added up. */
export class StepTimings {
  readonly #sums: Record<string, number> = {};

  async measure<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#add(step, start);
    }
  }

  measureNow<Result>(step: string, work: () => Result): Result {
    const start = performance.now();
    const result = work();
    this.#add(step, start);
    return result;
  }

  get result(): Readonly<Record<string, number>> {
    return this.#sums;
  }

  #add(step: string, start: number): void {
    this.#sums[step] = (this.#sums[step] ?? 0) + performance.now() - start;
  }
}
