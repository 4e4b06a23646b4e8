import { Worker } from "node:worker_threads";
import { CallSignal, type CallOptions, LociError, untilOpenedAgain } from "@loci/domain";
import {
  type Answer,
  cancellationPlaces,
  type IndexOperation,
  type IndexThreadSettings,
  type ResultOf,
  type SentOperation,
} from "./worker/protocol.ts";
import { ReceivedRefs } from "./received-refs.ts";

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: LociError) => void;
}

/**
 * The calling side of the thread that holds the indexes. The thread is started by the first operation. What is asked for
 * in one turn of the event loop is sent in one message: a recall's searches wake the thread once. A thread that could not
 * be started is started again by the next operation.
 */
export class IndexThread {
  /** Of what was found: a recall's searches, and the next recall, bring much the same rows. */
  readonly receivedRefs: ReceivedRefs = new ReceivedRefs();
  readonly #settings: IndexThreadSettings;
  readonly #reportProblem: (problem: LociError) => void;
  readonly #cancellations = new Int32Array(new SharedArrayBuffer(4 * cancellationPlaces));
  readonly #waiting = new Map<number, Waiting>();
  #exited = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #hasAnswered = false;
  #unsent: SentOperation[] = [];
  #unsentBuffers: ArrayBuffer[] = [];
  #lastId = 0;
  #failure: LociError | undefined;
  /** Set by `close`: what it is asked for from then on. */
  #closed: LociError | undefined;

  /** @param reportProblem told of what no call waits for: damage that was found, a merge that failed */
  constructor(settings: IndexThreadSettings, reportProblem: (problem: LociError) => void) {
    this.#settings = settings;
    this.#reportProblem = reportProblem;
  }

  /**
   * Has an operation performed.
   *
   * @param transfer buffers in it that are given away
   * @throws LociError what it failed with; `CANCELLED` or `DEADLINE_EXCEEDED` at once when the call is over;
   *   `STORE_UNAVAILABLE` when the thread died; `CLOSED` after `close` was called
   */
  async perform<Operation extends IndexOperation>(
    operation: Operation,
    options?: CallOptions,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<ResultOf<Operation>> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    const end = this.#failure ?? this.#closed;
    if (end !== undefined) throw end;
    const id = (this.#lastId = (this.#lastId % 0x7fff_fffe) + 1);
    const result = await new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      call.signal.addEventListener(
        "abort",
        () => {
          Atomics.store(this.#cancellations, id % cancellationPlaces, id);
          this.#take(id)?.reject(call.signal.reason as LociError);
        },
        { once: true },
      );
      if (this.#unsent.length === 0) queueMicrotask(() => this.#send());
      this.#unsent.push({ id, operation });
      this.#unsentBuffers.push(...transfer);
    });
    return result as ResultOf<Operation>;
  }

  /** Finishes what was accepted, then ends the thread. */
  async close(): Promise<void> {
    if (this.#worker === undefined && this.#waiting.size === 0) {
      this.#closed ??= threadClosed();
      return;
    }
    if (this.#failure === undefined && this.#closed === undefined) {
      const closing = this.perform({ type: "close" });
      // Behind it the thread hears nothing more.
      this.#closed = threadClosed();
      await closing;
      this.#worker?.ref();
    }
    await this.#exited.promise;
  }

  #send(): void {
    const [operations, buffers] = [this.#unsent, this.#unsentBuffers];
    this.#unsent = [];
    this.#unsentBuffers = [];
    if (this.#failure !== undefined) return;
    try {
      const worker = (this.#worker ??= this.#start());
      worker.ref();
      worker.postMessage(operations, buffers);
    } catch (error) {
      for (const { id } of operations) this.#take(id)?.reject(threadStopped(error));
    }
  }

  #start(): Worker {
    const worker = startWorker({ settings: this.#settings, cancellations: this.#cancellations });
    let notStarted: Error | undefined;
    this.#exited = Promise.withResolvers<void>();
    worker.on("message", (answers: readonly Answer[]) => {
      this.#hasAnswered = true;
      for (const answer of answers) this.#receive(answer);
      // An idle index does not keep a program running that forgot to close it.
      if (this.#waiting.size === 0) worker.unref();
    });
    worker.on("error", (error: Error) => {
      if (this.#hasAnswered) this.#fail(threadStopped(error));
      else notStarted = error;
    });
    worker.on("exit", () => {
      // It had nothing yet that could be lost.
      if (notStarted !== undefined) this.#worker = undefined;
      if (notStarted === undefined) this.#fail(this.#closed ?? threadStopped(undefined));
      else this.#abandon(threadNotStarted(notStarted, this.#settings.directory));
      this.#exited.resolve();
    });
    return worker;
  }

  #receive(answer: Answer): void {
    if (answer.type === "problem") this.#reportProblem(LociError.fromJSON(answer.error));
    else if (answer.type === "done") this.#take(answer.id)?.resolve(answer.result);
    else this.#take(answer.id)?.reject(LociError.fromJSON(answer.error));
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #fail(failure: LociError): void {
    this.#failure ??= failure;
    this.#abandon(this.#failure);
  }

  #abandon(failure: LociError): void {
    for (const { reject } of this.#waiting.values()) reject(failure);
    this.#waiting.clear();
  }
}

function startWorker(workerData: { settings: IndexThreadSettings; cancellations: Int32Array }): Worker {
  // From source the worker is TypeScript too, and finds the other packages' sources as this thread does.
  const fromSource = import.meta.url.endsWith(".ts");
  return new Worker(new URL(fromSource ? "./worker/index-worker.ts" : "./worker/index-worker.js", import.meta.url), {
    workerData,
    name: "loci-index",
    ...(fromSource ? { execArgv: ["--conditions=@loci/source"] } : {}),
  });
}

function threadNotStarted(cause: Error, directory: string): LociError {
  const { message } = cause;
  return new LociError("STORE_UNAVAILABLE", {
    message: `The thread that holds the index could not be started: ${message}.`,
    resource: directory,
    advice: /\bE[MN]FILE\b|too many open files/i.test(message)
      ? "Raise the limit of open files (`ulimit -n`). The next call tries again; nothing is lost."
      : "Check the memory and the limits of this process. The next call tries again; nothing is lost.",
    cause,
  });
}

function threadClosed(): LociError {
  return new LociError("CLOSED", { message: "The index is closed.", advice: "Open it again." });
}

function threadStopped(cause: unknown): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message: "The thread that holds the index has stopped.",
    advice: "Close the store and open it again. Nothing is lost: the ledger has everything.",
    details: untilOpenedAgain,
    cause,
  });
}
