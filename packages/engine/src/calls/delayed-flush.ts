/** How long what is written in the background gathers. */
const delay = 1_000;

/** Writes in the background what has gathered: a second after the first of it, or at once when asked, never twice at a time. */
export class DelayedFlush {
  readonly #write: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> = Promise.resolve();

  /** @param write writes all there is. It reports its failures itself, and asks for another flush where one may help */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Within a second. */
  soon(): void {
    this.#timer ??= setTimeout(() => void this.now(), delay).unref();
  }

  /** Now, and what others are writing before it. */
  async now(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(this.#write);
    await this.#flushing;
  }

  /** Now, and no more by itself: what was to be tried again is left. */
  async last(): Promise<void> {
    await this.now();
    clearTimeout(this.#timer);
  }
}
