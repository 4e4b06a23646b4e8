import { LociError } from "@loci/loci";

/**
 * Bounds the work at once. HTTP/2's own limits do not: a client that resets each call as soon as it is sent starts as
 * many as it likes, so a place is kept until the work itself has ended, whether or not the caller is still there.
 */
export class CallLimit {
  readonly #mostRunning: number;
  readonly #mostQueued: number;
  readonly #queue = new Set<() => void>();
  #running = 0;

  constructor(mostRunning: number, mostQueued: number) {
    this.#mostRunning = mostRunning;
    this.#mostQueued = mostQueued;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queue.size;
  }

  /**
   * Runs the work when a place is free; first come, first served.
   *
   * @throws LociError `TOO_MANY_REQUESTS` when the queue is full; what `signal` was aborted with while it waited
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#mostRunning) this.#running++;
    else await this.#waitForPlace(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#leave();
    }
  }

  #waitForPlace(signal: AbortSignal): Promise<void> {
    if (this.#queue.size >= this.#mostQueued)
      throw new LociError("TOO_MANY_REQUESTS", {
        message: `The server is busy: ${this.#running} calls are at work and ${this.#queue.size} wait.`,
        advice: "Try again in a moment, with fewer calls at once.",
      });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const enter = (): void => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = (): void => {
      this.#queue.delete(enter);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#queue.add(enter);
    return promise;
  }

  /** Hands the place to who waits longest. */
  #leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#running--;
    else {
      this.#queue.delete(next);
      next();
    }
  }
}
