import { LociError, type Principal } from "@loci/loci";

interface Bucket {
  /** Calls that may be made at once. */
  tokens: number;
  /** When they were counted, in milliseconds of the clock. */
  at: number;
}

export interface RateLimitOptions {
  /** Calls of one key in the long run. 0: no limit. */
  readonly callsPerSecond: number;
  /** Calls of one key at once, after a pause. At least 1. */
  readonly burst: number;
  /** In milliseconds; never goes back. Default `performance.now`. */
  readonly clock?: (() => number) | undefined;
}

/** A token bucket for each key. */
export class RateLimit {
  #callsPerSecond: number;
  readonly #burst: number;
  readonly #clock: () => number;
  // A key's principal is one object for as long as the key is known.
  readonly #buckets = new WeakMap<Principal, Bucket>();

  constructor({ callsPerSecond, burst, clock = () => performance.now() }: RateLimitOptions) {
    this.#callsPerSecond = callsPerSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Sets the rate anew. */
  limitTo(callsPerSecond: number): void {
    this.#callsPerSecond = callsPerSecond;
  }

  /** Counts a call. @throws LociError `TOO_MANY_REQUESTS` with the time after which the next one is taken */
  count(principal: Principal): void {
    if (this.#callsPerSecond === 0) return;
    const bucket = this.#filled(principal);
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return;
    }
    const wait = Math.ceil(((1 - bucket.tokens) / this.#callsPerSecond) * 1_000);
    throw new LociError("TOO_MANY_REQUESTS", {
      message: `${principal.subject} makes more than ${this.#callsPerSecond} calls per second.`,
      advice: "Try again after the time given, and put several memories into one call (BatchCreateMemories).",
      details: { retryAfterMilliseconds: String(wait) },
    });
  }

  #filled(principal: Principal): Bucket {
    const now = this.#clock();
    let bucket = this.#buckets.get(principal);
    if (bucket === undefined) this.#buckets.set(principal, (bucket = { tokens: this.#burst, at: now }));
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1_000) * this.#callsPerSecond);
    bucket.at = now;
    return bucket;
  }
}
