import { longestTimer, throwIfAborted } from "@loci/domain";

/** What came of work that had a time limit of its own, inside a call that may end earlier. */
export type Timed<Result> = { readonly value: Result } | { readonly failure: unknown };

/**
 * Gives work a time limit. Failing and being too late is an answer; only the end of the call itself is an error. Work
 * that does not listen to its signal is left behind.
 *
 * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED` when `outer` aborts
 */
export async function withinTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  milliseconds: number,
  outer: AbortSignal,
): Promise<Timed<Result>> {
  throwIfAborted(outer);
  const controller = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<Timed<Result>>();
  const giveUp = (reason: unknown): void => {
    controller.abort(reason);
    end({ failure: reason });
  };
  const working = work(controller.signal).then(
    (value): Timed<Result> => ({ value }),
    (failure: unknown): Timed<Result> => ({ failure }),
  );
  // What needs no more than this turn of the event loop needs no timer, and nobody can end it.
  const atOnce = await inThisTurn(working);
  if (atOnce !== undefined) {
    throwIfAborted(outer);
    return atOnce;
  }
  // Made when it is needed: it holds a stack.
  const tooLate = (): DOMException => new DOMException("No answer within the time limit.", "TimeoutError");
  const timer = setTimeout(() => giveUp(tooLate()), Math.min(milliseconds, longestTimer));
  const onAbort = (): void => giveUp(outer.reason);
  outer.addEventListener("abort", onAbort, { once: true });
  try {
    if (outer.aborted) onAbort();
    const result = await Promise.race([working, ended]);
    throwIfAborted(outer);
    return result;
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", onAbort);
  }
}

/** What the work gives, unless it waits for something else than itself: `undefined` then. */
async function inThisTurn<Result>(working: Promise<Result>): Promise<Result | undefined> {
  const { promise: turn, resolve } = Promise.withResolvers<undefined>();
  const immediate = setImmediate(resolve, undefined);
  const result = await Promise.race([working, turn]);
  clearImmediate(immediate);
  return result;
}
