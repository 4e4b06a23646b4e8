import { Worker } from "node:worker_threads";
import { type CallOptions, type Instant, LociError, untilOpenedAgain } from "@loci/domain";
import { saysTooManyFiles, tooManyFiles } from "./open-files-limit.ts";
import {
  isAlone,
  type MessageFromWriter,
  type MessageToWriter,
  type Outcome,
  type ResultOf,
  type WriteOperation,
  type WriterSettings,
} from "./write-operation.ts";
import { WaitingWrite } from "./waiting-write.ts";

/** Limits of one group, so that nobody waits for a whole queue's transaction. */
const maxOperationsPerGroup = 512;
const maxFloatsPerGroup = 4 * 1024 * 1024;

/** Is told what is being written. Of operations whose end it was not told, it cannot be known whether they are done. */
export interface WriteObserver {
  /** Before any of it can be in the file. One group is written at a time. */
  writeBegins(operations: readonly WriteOperation[]): void;
  /** All that succeeded is in the file, and the rest never will be. Before any of the callers hears of it. */
  writeEnded(operations: readonly WriteOperation[], outcomes: readonly Outcome[]): void;
}

/**
 * The calling side of the writer thread. Operations wait here while a group is being written and then leave together:
 * the slower the disk, the larger the groups. An operation can be withdrawn until its group leaves.
 */
export class WriterThread {
  readonly #worker: Worker;
  readonly #clock: () => Instant;
  readonly #observers: readonly WriteObserver[];
  readonly #opened = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  #queue: WaitingWrite[] = [];
  #inFlight: readonly WaitingWrite[] | undefined;
  #scheduled = false;
  #isOpen = false;
  #failure: LociError | undefined;
  #onIdle: (() => void) | undefined;

  private constructor(settings: WriterSettings, clock: () => Instant, observers: readonly WriteObserver[]) {
    this.#worker = startWorker(settings);
    this.#clock = clock;
    this.#observers = observers;
    this.#worker.on("message", (message: MessageFromWriter) => {
      if (message.type === "written") this.#finish(message.outcomes);
      else if (message.type === "opened") {
        this.#isOpen = true;
        this.#opened.resolve();
      } else this.#fail(LociError.fromJSON(message.error));
    });
    this.#worker.on("error", (error: Error) =>
      this.#fail(this.#isOpen ? writerStopped(error) : writerNotStarted(error, settings.path)),
    );
    this.#worker.on("exit", () => {
      this.#fail(writerStopped(undefined));
      this.#exited.resolve();
    });
  }

  /**
   * Starts the thread and waits until it has opened the file.
   *
   * @throws LociError what {@link openForWriting} throws
   */
  static async start(
    settings: WriterSettings,
    clock: () => Instant,
    observers: readonly WriteObserver[],
  ): Promise<WriterThread> {
    const thread = new WriterThread(settings, clock, observers);
    await thread.#opened.promise;
    // An idle ledger does not keep a program running that forgot to close it.
    thread.#worker.unref();
    return thread;
  }

  /**
   * Hands an operation over. Resolves once it is on the disk.
   *
   * @throws LociError what the operation failed with; `CANCELLED` or `DEADLINE_EXCEEDED` when the call was over before
   *   its group left, and only then; `STORE_UNAVAILABLE` when the thread died
   */
  async write<Operation extends WriteOperation>(
    operation: Operation,
    call?: CallOptions,
  ): Promise<ResultOf<Operation>> {
    this.throwIfStopped();
    const waiting = new WaitingWrite(operation, call);
    this.#queue.push(waiting);
    if (this.#inFlight === undefined) this.#schedule();
    else waiting.heedCall();
    const outcome = await waiting.outcome;
    return outcome.result as ResultOf<Operation>;
  }

  /** @throws LociError why nothing can be written any more, if that is so */
  throwIfStopped(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits until everything handed over is written, then ends the thread. */
  async close(): Promise<void> {
    if (this.#queue.length > 0 || this.#inFlight !== undefined) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    if (this.#failure === undefined) {
      this.#worker.ref();
      this.#post({ type: "close" });
    }
    await this.#exited.promise;
  }

  /** Lets everything that is handed over in this turn of the event loop leave together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#sendGroup();
    });
  }

  #sendGroup(): void {
    if (this.#inFlight !== undefined || this.#failure !== undefined) return;
    const group: WaitingWrite[] = [];
    const transfer: ArrayBuffer[] = [];
    let floats = 0;
    let taken = 0;
    for (const waiting of this.#queue) {
      if (group.length >= maxOperationsPerGroup || floats >= maxFloatsPerGroup) break;
      const isByItself = isAlone(waiting.operation);
      if (isByItself && group.length > 0) break;
      taken++;
      if (!waiting.leave()) continue;
      group.push(waiting);
      if (isByItself) break;
      if (!("values" in waiting.operation)) continue;
      const { values } = waiting.operation;
      floats += values.length;
      if (values.length > 0) transfer.push(values.buffer);
    }
    this.#queue = this.#queue.slice(taken);
    for (const waiting of this.#queue) waiting.heedCall();
    if (group.length === 0) {
      this.#onIdle?.();
      return;
    }
    this.#inFlight = group;
    this.#worker.ref();
    const operations = group.map((waiting) => waiting.operation);
    for (const observer of this.#observers) observer.writeBegins(operations);
    this.#post({ type: "group", group: { now: this.#clock(), operations } }, transfer);
  }

  #post(message: MessageToWriter, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #finish(outcomes: readonly Outcome[]): void {
    const group = this.#inFlight ?? [];
    this.#inFlight = undefined;
    this.#worker.unref();
    const operations = group.map((waiting) => waiting.operation);
    for (const observer of this.#observers) observer.writeEnded(operations, outcomes);
    for (const [index, waiting] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.succeeded === true) waiting.resolve(outcome);
      else waiting.reject(outcome === undefined ? writerStopped(undefined) : LociError.fromJSON(outcome.error));
    }
    // The next group leaves now: waiting for the callers that were just answered would leave the disk idle.
    this.#sendGroup();
  }

  #fail(failure: LociError): void {
    this.#failure ??= failure;
    this.#opened.reject(this.#failure);
    // No observer is told that anything ended: nobody knows what of it is in the file.
    const abandoned = [...(this.#inFlight ?? []), ...this.#queue];
    this.#inFlight = undefined;
    this.#queue = [];
    for (const waiting of abandoned) waiting.reject(this.#failure);
    this.#onIdle?.();
  }
}

function startWorker(settings: WriterSettings): Worker {
  // From source the worker is TypeScript too, and finds the other packages' sources as this thread does.
  const fromSource = import.meta.url.endsWith(".ts");
  return new Worker(new URL(fromSource ? "./writer-worker.ts" : "./writer-worker.js", import.meta.url), {
    workerData: settings,
    name: "loci-ledger-writer",
    ...(fromSource ? { execArgv: ["--conditions=@loci/source"] } : {}),
  });
}

function writerNotStarted(cause: Error, path: string): LociError {
  if (saysTooManyFiles(cause)) return tooManyFiles(path, cause);
  return new LociError("STORE_UNAVAILABLE", {
    message: `The thread that writes the ledger could not be started: ${cause.message}. Nothing was written.`,
    resource: path,
    advice: "Check the memory and the limits of this process, and open the ledger again.",
    cause,
  });
}

function writerStopped(cause: unknown): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message:
      "The thread that writes the ledger has stopped. Writes that were not acknowledged may or may not be stored.",
    advice: "Close the ledger and open it again. Repeat the write with the same request id: it is then stored once.",
    details: untilOpenedAgain,
    cause,
  });
}
