/** Runs asynchronous work one piece after the other. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves and rejects as the work does, which begins when all work before it has ended. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting++;
    const running = this.#last.then(work);
    this.#last = running.catch(() => undefined);
    try {
      return await running;
    } finally {
      this.#waiting--;
    }
  }
}
