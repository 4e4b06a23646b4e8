export type Closer = () => void | Promise<void>;

/** Closes what was opened, the last first, and goes on when one fails. */
export async function closeAll(closers: readonly Closer[]): Promise<void> {
  try {
    await closers.at(-1)?.();
  } finally {
    if (closers.length > 1) await closeAll(closers.slice(0, -1));
  }
}
