import type { Notifier } from "./notifier.ts";

/**
 * Resolves after the time, in milliseconds, or as soon as the signal aborts. For calls that somebody waits for: the process stays alive.
 *
 * @param notifier ends it before its time. Default: nothing does
 */
export async function pause(milliseconds: number, signal: AbortSignal | undefined, notifier?: Notifier): Promise<void> {
  await pauseWith(milliseconds, signal, notifier, (timer) => timer.ref());
}

/** The same for work in the background. Keeps no process alive. */
export async function backgroundPause(
  milliseconds: number,
  signal: AbortSignal | undefined,
  notifier?: Notifier,
): Promise<void> {
  await pauseWith(milliseconds, signal, notifier, (timer) => timer.unref());
}

async function pauseWith(
  milliseconds: number,
  signal: AbortSignal | undefined,
  notifier: Notifier | undefined,
  prepare: (timer: NodeJS.Timeout) => void,
): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  prepare(timer);
  const onEnd = (): void => resolve();
  signal?.addEventListener("abort", onEnd, { once: true });
  const stopListening = notifier?.listen(onEnd);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onEnd);
    stopListening?.();
  }
}
