/** Ends the pauses of all who wait for the same thing, once it has happened. It keeps nothing of pauses that are over. */
export class Notifier {
  readonly #listeners = new Set<() => void>();

  /** True while nobody waits. */
  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /** Calls back at each notification, until the answer is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** It has happened: whoever waits just now goes on. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
