import { Worker } from "node:worker_threads";
import { type CaptureCandidate, type CapturedTurn, LociError, throwIfAborted } from "@loci/domain";
import type { JudgedAgainst } from "./found-statements.ts";
import {
  cancellationPlaces,
  type ReadingAnswer,
  type ReadingRequest,
  type ReadingThreadData,
} from "./reading-protocol.ts";
import type { ReadingOptions, ReadStatements } from "./statement-reader.ts";

/** The thread did not come up: what was to be read in it is read where it was asked for. */
export class ReadingThreadNotStarted extends Error {}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

type Found = Pick<ReadStatements, "texts" | "unread">;
type Asked = Extract<ReadingRequest, { readonly id: number }>;

export interface ReadingThreadSettings {
  /** Nothing to read for so long, in milliseconds, and the thread ends: it holds some megabytes. Default 30,000. */
  readonly idleTime?: number;
  /** The module that runs in it. Default: `reading-worker`. */
  readonly module?: URL;
}

const defaultIdleTime = 30_000;

/**
 * The calling side of the thread that reads for captures. It is started by the first that has something to read, and again by the
 * next one when it has ended.
 */
export class ReadingThread {
  readonly #idleTime: number;
  readonly #module: URL | undefined;
  readonly #waiting = new Map<number, Waiting>();
  /** What was read and is kept there. */
  readonly #readings = new Set<number>();
  readonly #cancellations = new Int32Array(new SharedArrayBuffer(4 * cancellationPlaces));
  #worker: Worker | undefined;
  #hasAnswered = false;
  #lastId = 0;
  #endingLater: NodeJS.Timeout | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ idleTime = defaultIdleTime, module }: ReadingThreadSettings = {}) {
    this.#idleTime = idleTime;
    this.#module = module;
  }

  /**
   * Has turns read.
   *
   * @throws LociError `CANCELLED` or `DEADLINE_EXCEEDED` at once when the call is over, `CLOSED` after `close`,
   *   `INTERNAL` when the thread died
   * @throws ReadingThreadNotStarted
   */
  async read(
    turns: readonly CapturedTurn[],
    { signal, company }: Pick<ReadingOptions, "signal" | "company">,
  ): Promise<ReadStatements> {
    const id = this.#nextId();
    try {
      const found = await this.#ask<Found>({ type: "read", id, turns, company }, signal);
      return this.#kept(id, found, signal);
    } catch (error) {
      // It may have been read all the same.
      this.#post({ type: "forget", reading: id });
      throw error;
    }
  }

  #kept(id: number, { texts, unread }: Found, signal: AbortSignal): ReadStatements {
    this.#readings.add(id);
    this.#restOrGoOn();
    return {
      texts,
      unread,
      judge: (against) => this.#judge(id, against, signal),
      [Symbol.dispose]: () => this.#forget(id),
    };
  }

  /** Ends the thread. What is under way fails with `CLOSED`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#abandon(closed());
    await this.#end();
  }

  async #judge(reading: number, against: JudgedAgainst, signal: AbortSignal): Promise<readonly CaptureCandidate[]> {
    if (!this.#readings.has(reading)) throw this.#isClosed ? closed() : stopped(undefined);
    const { buffer } = against.vectors.values;
    return this.#ask({ type: "judge", id: this.#nextId(), reading, against }, signal, [buffer]);
  }

  #forget(reading: number): void {
    if (!this.#readings.delete(reading)) return;
    this.#post({ type: "forget", reading });
    this.#restOrGoOn();
  }

  async #ask<Result>(request: Asked, signal: AbortSignal, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
    throwIfAborted(signal);
    if (this.#isClosed) throw closed();
    const { id } = request;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const cancel = (): void => {
      Atomics.store(this.#cancellations, id % cancellationPlaces, id);
      this.#take(id)?.reject(signal.reason);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const worker = (this.#worker ??= this.#start());
      this.#waiting.set(id, { resolve, reject });
      this.#restOrGoOn();
      worker.postMessage(request, transfer);
      return await promise;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#waiting.delete(id);
      this.#restOrGoOn();
    }
  }

  #post(request: ReadingRequest): void {
    this.#worker?.postMessage(request);
  }

  #start(): Worker {
    this.#hasAnswered = false;
    let worker: Worker;
    try {
      worker = this.#startWorker({ cancellations: this.#cancellations });
    } catch (error) {
      throw new ReadingThreadNotStarted("The thread could not be started.", { cause: error });
    }
    let cause: unknown;
    worker.on("message", (answer: ReadingAnswer) => {
      this.#hasAnswered = true;
      const waiting = this.#take(answer.id);
      if (answer.type === "failed") waiting?.reject(answer.error);
      else waiting?.resolve(answer.result as never);
    });
    worker.on("error", (error: unknown) => (cause = error));
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#abandon(
        this.#hasAnswered
          ? stopped(cause)
          : new ReadingThreadNotStarted("The thread ended before it had read anything.", { cause }),
      );
    });
    return worker;
  }

  #startWorker(workerData: ReadingThreadData): Worker {
    return new Worker(this.#module ?? defaultModule(), {
      workerData,
      name: "loci-captures",
      ...(isFromSource() ? { execArgv: ["--conditions=@loci/source"] } : {}),
    });
  }

  /** An idle thread keeps no program running, and does not stay for ever. */
  #restOrGoOn(): void {
    clearTimeout(this.#endingLater);
    if (this.#waiting.size > 0) this.#worker?.ref();
    else this.#worker?.unref();
    if (this.#worker === undefined || this.#waiting.size + this.#readings.size > 0) return;
    this.#endingLater = setTimeout(() => void this.#end(), this.#idleTime).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#endingLater);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#ended = Promise.all([this.#ended, worker?.terminate()]);
    await this.#ended;
  }

  #abandon(error: unknown): void {
    const abandoned = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#readings.clear();
    for (const { reject } of abandoned) reject(error);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #nextId(): number {
    return (this.#lastId = (this.#lastId % 0x7fff_fffe) + 1);
  }
}

function closed(): LociError {
  return new LociError("CLOSED", { message: "Loci is closed.", advice: "Open it again." });
}

function stopped(cause: unknown): LociError {
  return new LociError("INTERNAL", {
    message: "The thread that reads for captures has stopped.",
    advice: "The capture is tried again by itself.",
    cause,
  });
}

/** Looked for when a thread is started, which fails in a bundle of CommonJS: there this file has no place. */
function defaultModule(): URL {
  return new URL(import.meta.resolve("#reading-worker"));
}

/** From source the worker is TypeScript too, and finds the other packages' sources as this thread does. */
function isFromSource(): boolean {
  return import.meta.url.endsWith(".ts");
}
