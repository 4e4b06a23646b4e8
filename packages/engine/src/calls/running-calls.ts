import { type CallOptions, CallSignal, checkCallOptions, LociError } from "@loci/domain";

/** The calls under way: gives each one its signal, and ends them when the engine closes. */
export class RunningCalls {
  readonly #running = new Map<Promise<unknown>, CallSignal>();
  readonly #closing = new AbortController();

  /** Aborts when no more calls are taken: for what waits between two calls. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Runs the work of one call. @throws LociError `CLOSED` after `close` was called, and what ends the call */
  async run<Result>(options: CallOptions | undefined, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.closing.aborted) throw closed();
    checkCallOptions(options);
    using call = new CallSignal(options);
    call.throwIfAborted();
    const running = work(call.signal);
    this.#running.set(running, call);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Takes no more calls, gives those under way some time, and then aborts them. Resolves when all have ended. */
  async close(milliseconds: number): Promise<void> {
    this.#closing.abort(closed());
    if (this.#running.size === 0) return;
    const timer = setTimeout(() => {
      for (const call of this.#running.values()) call.abort(closed());
    }, milliseconds);
    await Promise.allSettled(this.#running.keys());
    clearTimeout(timer);
  }
}

/** The error of every call after `close`. */
export function closed(): LociError {
  return new LociError("CLOSED", {
    message: "Loci was closed.",
    advice: "Open it again, and close it after the last call has come back.",
  });
}
