import { type CallOptions, CallSignal, checkCallOptions, type Instant, LociError, throwIfAborted } from "@loci/domain";

/** One call of a method of the interface, which may take several calls of the server. */
export interface RunningCall {
  /** Aborts when the caller cancels and when the client closes. */
  readonly signal: AbortSignal;
  /** The caller's deadline, if there is one. */
  readonly deadline: Instant | undefined;
  /** The caller's idempotency key, or one made for this call: with it a write can be sent again. */
  readonly requestId: string;
}

/** The calls under way: gives each one its signal, and ends them when the client closes. */
export class RunningCalls {
  readonly #outer: RunningCalls | undefined;
  readonly #running = new Map<Promise<unknown>, AbortController>();
  readonly #streams = new Set<AbortController>();
  #isClosed = false;

  /** @param outer those that these are among: when they are closed, so are these. Default: these stand alone */
  constructor(outer?: RunningCalls) {
    this.#outer = outer;
  }

  /** Runs the work of one call. @throws LociError `CLOSED` after `close` was called, and what ends the call */
  async run<Result>(options: CallOptions | undefined, work: (call: RunningCall) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw closed();
    checkCallOptions(options);
    const { signal: outer, deadline, requestId = crypto.randomUUID() } = options ?? {};
    throwIfAborted(outer);
    const end = new AbortController();
    const onAbort = (): void => end.abort(outer?.reason);
    outer?.addEventListener("abort", onAbort, { once: true });
    const call = { signal: end.signal, deadline, requestId };
    const running = this.#outer === undefined ? work(call) : this.#outer.run(call, work);
    this.#running.set(running, end);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      outer?.removeEventListener("abort", onAbort);
    }
  }

  /** Gives what the work of one call gives, for as long as its reader asks. @throws LociError as {@link run} */
  async *stream<Result>(
    options: CallOptions | undefined,
    work: (call: Omit<RunningCall, "requestId">) => AsyncIterable<Result>,
  ): AsyncGenerator<Result, void, undefined> {
    if (this.#isClosed) throw closed();
    checkCallOptions(options);
    using call = new CallSignal(options);
    const end = new AbortController();
    this.#streams.add(end);
    try {
      const own = { signal: AbortSignal.any([call.signal, end.signal]), deadline: options?.deadline };
      yield* this.#outer === undefined ? work(own) : this.#outer.stream(own, work);
    } finally {
      this.#streams.delete(end);
    }
  }

  /** Takes no more calls, ends streams, gives calls under way some time, and then drops them. Resolves when all have ended. */
  async close(milliseconds: number): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#streams) end.abort(closed());
    if (this.#running.size === 0) return;
    const timer = setTimeout(() => {
      for (const end of this.#running.values()) end.abort(closed());
    }, milliseconds);
    await Promise.allSettled(this.#running.keys());
    clearTimeout(timer);
  }
}

function closed(): LociError {
  return new LociError("CLOSED", {
    message: "The client was closed.",
    advice: "Connect again, and close after the last call has come back.",
  });
}
