import type { CapturedTurn } from "@loci/domain";
import type { ReportProblem } from "../../calls/report-problem.ts";
import { StatementsHere } from "./read-here.ts";
import { ReadingThread, ReadingThreadNotStarted } from "./reading-thread.ts";
import type { ReadingOptions, ReadStatements, StatementReader } from "./statement-reader.ts";

export interface ThreadOrHereOptions {
  readonly reportProblem: ReportProblem;
  readonly thread?: ReadingThread;
  /** Turns of so many UTF-16 units together are read in the thread. */
  readonly leastForThread?: number;
}

/** Takes some ten milliseconds to read: less is not worth a thread. */
const defaultLeastForThread = 6_000;

/**
 * Reads much in a thread of its own, so that calls need not wait for it, and little where it is asked for. Where no thread can be
 * started, all is read where it is asked for, step by step, and that is reported once.
 */
export class ThreadOrHere implements StatementReader, AsyncDisposable {
  readonly #thread: ReadingThread;
  readonly #leastForThread: number;
  readonly #reportProblem: ReportProblem;
  #isWithoutThread = false;

  constructor({ reportProblem, thread, leastForThread }: ThreadOrHereOptions) {
    this.#thread = thread ?? new ReadingThread();
    this.#leastForThread = leastForThread ?? defaultLeastForThread;
    this.#reportProblem = reportProblem;
  }

  async read(turns: readonly CapturedTurn[], options: ReadingOptions): Promise<ReadStatements> {
    const units = turns.reduce((sum, { content }) => sum + content.length, 0);
    if (units < this.#leastForThread || this.#isWithoutThread) return StatementsHere.of(turns, options);
    try {
      return await this.#thread.read(turns, options);
    } catch (error) {
      if (!(error instanceof ReadingThreadNotStarted)) throw error;
      if (!this.#isWithoutThread) this.#reportProblem(error, "starting the thread that reads for captures");
      this.#isWithoutThread = true;
      return StatementsHere.of(turns, options);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.close();
  }
}
