import { setTimeout as sleep } from "node:timers/promises";

/** How many requests are being answered. A stream that tells of changes is none: it ends when somebody ends it, and not by itself. */
export class AnswersUnderWay {
  #count = 0;
  #none = Promise.withResolvers<void>();

  /** Counts a call until it is over. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#count++;
    try {
      return await call();
    } finally {
      this.#count--;
      if (this.#count === 0) {
        this.#none.resolve();
        this.#none = Promise.withResolvers<void>();
      }
    }
  }

  /** Waits until all are over, but no longer than so many milliseconds. */
  async over(milliseconds: number): Promise<void> {
    if (this.#count === 0) return;
    const end = new AbortController();
    const late = sleep(milliseconds, undefined, { signal: end.signal }).catch(() => undefined);
    await Promise.race([this.#none.promise, late]);
    end.abort();
  }
}
