export type Closer = () => void | Promise<void>;

/** Closes what was opened, the last first, and goes on when one fails. Throws the first failure, after all the rest was closed. */
export async function closeAll(closers: readonly Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.toReversed())
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
