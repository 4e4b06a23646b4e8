/** In milliseconds: what is cut off then waits for something that nobody can stop, such as opening a pipe without a writer. */
const longestEnd = 3_000;

/**
 * Tells the command of this process to end when the person presses Ctrl-C, or somebody ends it. One that cannot is ended after
 * three seconds. Who listens for these signals, as a server does, ends in its own time.
 */
export function endOnSignal(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => {
      interrupted.abort();
      const hasOwnTime = process.listenerCount(name) > 0;
      // Nobody listens any more: this is what the signal does to any program.
      if (!hasOwnTime) setTimeout(() => process.kill(process.pid, name), longestEnd).unref();
    });
  return interrupted.signal;
}
