import { CallSignal, type CallOptions } from "@loci/domain";
import { ledgerClosed } from "@loci/ledger/sql";
import { ReadingPace } from "./reading-pace.ts";
import { toLociError } from "./sqlite-error.ts";

/** The reads of a ledger that are under way: who closes it waits for them. */
export class RunningReads {
  readonly #path: string;
  readonly #running = new Set<Promise<unknown>>();
  #isClosing = false;
  #isClosed = false;

  /** @param path of the file, for errors */
  constructor(path: string) {
    this.#path = path;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** @throws LociError `CLOSED` as soon as the ledger is closing */
  throwIfClosing(): void {
    if (this.#isClosing) throw ledgerClosed();
  }

  /** @throws LociError `CLOSED`, `CANCELLED`, `DEADLINE_EXCEEDED`, and what SQLite's errors become */
  async run<Result>(
    call: CallOptions | undefined,
    read: (pace: ReadingPace) => Promise<Result> | Result,
  ): Promise<Result> {
    this.throwIfClosing();
    using over = new CallSignal(call);
    over.throwIfAborted();
    const pace = new ReadingPace(over, () => {
      if (this.#isClosed) throw ledgerClosed();
    });
    let running: Promise<unknown> | undefined;
    try {
      const result = read(pace);
      if (!(result instanceof Promise)) return result;
      running = result;
      this.#running.add(running);
      return await result;
    } catch (error) {
      throw toLociError(error, this.#path);
    } finally {
      if (running !== undefined) this.#running.delete(running);
    }
  }

  /** Lets nobody else begin. Resolves when those under way have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#running);
    this.#isClosed = true;
  }
}
