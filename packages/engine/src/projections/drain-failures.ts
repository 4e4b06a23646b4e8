import { LociError } from "@loci/domain";

const firstRetryDelay = 50;
/** Milliseconds between two tries, at most. */
export const longestRetryDelay = 30_000;
/** What has failed is not tried more often than this for those who wait for it. */
const waiterRetryDelay = 1_000;
/** How long those who wait put up with a projection that fails again and again. */
const failurePatience = 15_000;

/** By a clock that nobody sets. */
interface Failing {
  readonly since: number;
  readonly last: number;
  readonly error: unknown;
}

/** How often in a row a projection could not be brought up to date, and how long those who wait for it put up with that. */
export class DrainFailures {
  readonly #projection: string;
  #count = 0;
  /** Since nothing has come of it any more. */
  #failing: Failing | undefined;

  /** @param projection its name, for people */
  constructor(projection: string) {
    this.#projection = projection;
  }

  /** The last try has failed. */
  get areGoingOn(): boolean {
    return this.#failing !== undefined;
  }

  /** It has failed so lately that nobody who waits should have it tried again. */
  get wereJustNow(): boolean {
    return this.#failing !== undefined && performance.now() - this.#failing.last < waiterRetryDelay;
  }

  /** What the last try came to, and since when nothing else has come of it. */
  get current(): { readonly error: unknown; readonly milliseconds: number } | undefined {
    return this.#failing && { error: this.#failing.error, milliseconds: performance.now() - this.#failing.since };
  }

  /** @returns after how many milliseconds to try again, longer each time */
  add(error: unknown): number {
    const now = performance.now();
    this.#failing = { since: this.#failing?.since ?? now, last: now, error };
    return Math.min(firstRetryDelay * 2 ** this.#count++, longestRetryDelay);
  }

  /** Something has come of it. */
  end(): void {
    this.#count = 0;
    this.#failing = undefined;
  }

  /**
   * @param begun when the waiting began, as `performance.now()` tells it
   * @throws LociError when nothing but failures have come of it for 15 s since then, with the reason of the last
   */
  throwIfWaitedTooLong(begun: number): void {
    const failing = this.#failing;
    if (failing === undefined || performance.now() - Math.max(begun, failing.since) < failurePatience) return;
    throw notCaughtUp(this.#projection, failing.error);
  }
}

function notCaughtUp(name: string, cause: unknown): LociError {
  const known = LociError.is(cause) ? cause : undefined;
  // What others say may quote a text.
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "an unexpected error";
  return new LociError(known?.reason ?? "STORE_UNAVAILABLE", {
    code: known?.code,
    message: `${name} has not caught up with what is stored, for it fails again and again: ${known?.message ?? code}`,
    resource: known?.resource ?? name,
    advice: `What was written is stored, and it goes on by itself when it can. ${known?.advice ?? "Check the place where it is kept."}`,
    cause,
  });
}
