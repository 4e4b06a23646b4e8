import { LociError, type Principal, shownValue } from "@loci/domain";

const minute = 60_000;
/** Callers that are kept count of before those who have used nothing for a minute are let go. */
const manyCallers = 1_000;

interface Allowance {
  /** What may be used now. Less than 0 after a call that took more than was foreseen. */
  tokens: number;
  /** When they were counted, in milliseconds of the clock. */
  at: number;
}

export interface ModelTokenRateOptions {
  /** Of each caller, input and output together: at most as many at once, and as many a minute in the long run. */
  readonly tokensPerMinute: number;
  /** In milliseconds; never goes back. Default `performance.now`. */
  readonly clock?: (() => number) | undefined;
}

/** How many tokens of language models may be used a minute on behalf of one caller: a token bucket for each, in this process. */
export class ModelTokenRate {
  readonly #tokensPerMinute: number;
  readonly #clock: () => number;
  readonly #allowances = new Map<string, Allowance>();

  /** @throws LociError `INVALID_CONFIGURATION` for anything but a whole number from 1 */
  constructor({ tokensPerMinute, clock = () => performance.now() }: ModelTokenRateOptions) {
    if (!Number.isSafeInteger(tokensPerMinute) || tokensPerMinute < 1)
      throw new LociError("INVALID_CONFIGURATION", {
        message: `modelTokensPerMinute is ${shownValue(tokensPerMinute)}, but must be a whole number from 1.`,
        field: "modelTokensPerMinute",
        advice: "Leave it out for no limit.",
      });
    this.#tokensPerMinute = tokensPerMinute;
    this.#clock = clock;
  }

  /**
   * Takes what a call may use before it is made. A call that may use more than a minute's worth is made when a whole minute's
   * worth is there.
   *
   * @param planned at most, as far as can be told
   * @returns takes what the call has used in its place, once it is known
   * @throws LociError `TOO_MANY_REQUESTS` with the time after which such a call may be made
   */
  reserve({ tenant, subject }: Pick<Principal, "tenant" | "subject">, planned: number): (used: number) => void {
    const allowance = this.#filled(JSON.stringify([tenant, subject]));
    const missing = Math.min(planned, this.#tokensPerMinute) - allowance.tokens;
    if (missing > 0)
      throw new LociError("TOO_MANY_REQUESTS", {
        message: `${subject} uses more than ${this.#tokensPerMinute} tokens of language models a minute.`,
        advice: "Try again after the time given, or have the limit raised.",
        details: { retryAfterMilliseconds: String(Math.ceil((missing / this.#tokensPerMinute) * minute)) },
      });
    allowance.tokens -= planned;
    return (used) => {
      allowance.tokens += planned - used;
    };
  }

  #filled(caller: string): Allowance {
    const now = this.#clock();
    let allowance = this.#allowances.get(caller);
    if (allowance === undefined) {
      if (this.#allowances.size >= manyCallers) this.#letIdleGo(now);
      this.#allowances.set(caller, (allowance = { tokens: this.#tokensPerMinute, at: now }));
    }
    const since = (now - allowance.at) / minute;
    allowance.tokens = Math.min(this.#tokensPerMinute, allowance.tokens + since * this.#tokensPerMinute);
    allowance.at = now;
    return allowance;
  }

  /** Who could use a whole minute's worth by now is as one who never called. */
  #letIdleGo(now: number): void {
    for (const [caller, { tokens, at }] of this.#allowances)
      if (tokens + ((now - at) / minute) * this.#tokensPerMinute >= this.#tokensPerMinute)
        this.#allowances.delete(caller);
  }
}
