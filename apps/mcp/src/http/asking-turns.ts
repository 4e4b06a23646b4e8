import { LociError, throwIfAborted } from "@loci/loci";

/**
 * Lets so much happen at once, and has others wait for their turn: who comes first goes first. Nobody is sent away because somebody else
 * guesses, as a guesser waits for each answer, too.
 */
export class AskingTurns {
  readonly #mostAtOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(mostAtOnce: number, mostWaiting: number) {
    this.#mostAtOnce = mostAtOnce;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Runs what needs a turn, when its turn has come.
   *
   * @param signal of who waits: who is gone loses the turn
   * @throws LociError `TOO_MANY_REQUESTS` when too many wait, `CANCELLED` for who is gone; what the work throws
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#mostAtOnce) await this.#turn(signal);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#giveOn();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    if (this.#waiting.size >= this.#mostWaiting)
      throw new LociError("TOO_MANY_REQUESTS", {
        message: "Too many credentials are looked at for the first time.",
        advice: "Try again in a second.",
      });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#waiting.delete(resolve);
      reject(new LociError("CANCELLED", { message: "Nobody waits for this turn any more.", cause: signal.reason }));
    };
    this.#waiting.add(resolve);
    signal.addEventListener("abort", leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** The turn goes on to the one who has waited longest: nobody who comes now gets between. */
  #giveOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
