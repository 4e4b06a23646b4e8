/** Who is told what happens in a ledger, such as commits. */
export class LedgerListeners<Happened extends readonly unknown[]> {
  readonly #listeners = new Set<(...happened: Happened) => void>();

  /** The same function may be given twice; each registration is its own. @returns ends it */
  add(listener: (...happened: Happened) => void): () => void {
    const registered = (...happened: Happened): void => listener(...happened);
    this.#listeners.add(registered);
    return () => this.#listeners.delete(registered);
  }

  /** What has happened is done: a listener's fault must not make it look failed, and is a warning of the process. */
  tell(...happened: Happened): void {
    for (const listener of this.#listeners) {
      try {
        listener(...happened);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error), "LociListenerWarning");
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
