/** Waits for a promise, but no longer than a signal allows: then it rejects with the signal's reason. */
export async function waitFor<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Nobody looks any more at how what was not waited for ends.
    promise.catch(() => undefined);
  }
}
