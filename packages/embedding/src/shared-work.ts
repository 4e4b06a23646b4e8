import { type LociError, throwIfAborted } from "@loci/domain";

/**
 * Work that several callers wait for. It goes on while one of them still wants it, and is aborted when the last one has
 * given up: a caller who cancels stops neither the work of the others nor waits for it.
 */
export class SharedWork<Result> {
  readonly #controller = new AbortController();
  readonly #result: Promise<Result>;
  readonly #abandoned: () => void;
  #waiting = 0;
  #isDone = false;

  /** @param abandoned called, at most once, when nobody waits any more and the work is not done */
  constructor(start: (signal: AbortSignal) => Promise<Result>, abandoned: () => void) {
    this.#abandoned = abandoned;
    const { signal } = this.#controller;
    this.#result = unlessAborted(start(signal), signal).finally(() => (this.#isDone = true));
    // Whoever waits gets the error; when nobody does, nobody needs it.
    this.#result.catch(() => {});
  }

  /** @throws what the work threw, or the LociError of the caller's own signal */
  async wait(signal: AbortSignal | undefined): Promise<Result> {
    this.#waiting++;
    try {
      return await unlessAborted(this.#result, signal);
    } finally {
      if (--this.#waiting === 0 && !this.#isDone) {
        this.#abandoned();
        this.#controller.abort();
      }
    }
  }

  /** Ends the work for everyone who waits. */
  abort(reason: LociError): void {
    this.#controller.abort(reason);
  }
}

/** Settles as `work` does, or rejects as soon as the signal aborts. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  throwIfAborted(signal);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    try {
      throwIfAborted(signal);
    } catch (error) {
      reject(error);
    }
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
