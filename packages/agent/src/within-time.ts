import { LociError, longestTimer } from "@loci/domain";

/**
 * Gives work so many milliseconds; `Infinity`: as long as it takes. Then, and when the signal aborts, its own signal aborts, and it is waited for no longer.
 *
 * @throws LociError `DEADLINE_EXCEEDED`; the reason of the signal
 */
export async function withinTime<Value>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    controller.abort(reason);
    reject(reason);
  };
  const onAbort = (): void => end(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => end(tooSlow(milliseconds)), Math.min(milliseconds, longestTimer));
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([over, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function tooSlow(milliseconds: number): LociError {
  return new LociError("DEADLINE_EXCEEDED", {
    message: `Loci did not answer within ${milliseconds.toLocaleString("en")} ms.`,
    advice: "See whether its server can be reached, or give it more time: recallTimeoutMilliseconds.",
  });
}
