/** Runs the work of one key one after the other; different keys do not wait for each other. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key);
    const { promise: tail, resolve: release } = Promise.withResolvers<void>();
    this.#tails.set(key, tail);
    try {
      await before;
      return await work();
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
      release();
    }
  }
}
