/** Resolves after the time, or as soon as the signal aborts. For calls that somebody waits for: the process stays alive. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pauseWith(milliseconds, signal, (timer) => timer.ref());
}

/** The same for work in the background. Keeps no process alive. */
export async function backgroundPause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pauseWith(milliseconds, signal, (timer) => timer.unref());
}

async function pauseWith(
  milliseconds: number,
  signal: AbortSignal | undefined,
  prepare: (timer: NodeJS.Timeout) => void,
): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  prepare(timer);
  const onAbort = (): void => resolve();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
