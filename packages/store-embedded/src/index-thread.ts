import { Worker } from "node:worker_threads";
import { CallSignal, type CallOptions, LociError } from "@loci/domain";
import {
  cancellationPlaces,
  type IndexOperation,
  type IndexThreadSettings,
  type MessageFromIndex,
  type MessageToIndex,
  type ResultOf,
} from "./worker/protocol.ts";

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: LociError) => void;
}

/** The calling side of the thread that holds the indexes. */
export class IndexThread {
  readonly #worker: Worker;
  readonly #cancellations = new Int32Array(new SharedArrayBuffer(4 * cancellationPlaces));
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited = Promise.withResolvers<void>();
  #lastId = 0;
  #failure: LociError | undefined;

  /** @param reportProblem told of what no call waits for: damage that was found, a merge that failed */
  constructor(settings: IndexThreadSettings, reportProblem: (problem: LociError) => void) {
    this.#worker = startWorker({ settings, cancellations: this.#cancellations });
    this.#worker.on("message", (message: MessageFromIndex) => {
      if (message.type === "problem") reportProblem(LociError.fromJSON(message.error));
      else if (message.type === "done") this.#take(message.id)?.resolve(message.result);
      else this.#take(message.id)?.reject(LociError.fromJSON(message.error));
    });
    this.#worker.on("error", (error) => this.#fail(threadStopped(error)));
    this.#worker.on("exit", () => {
      this.#fail(threadStopped(undefined));
      this.#exited.resolve();
    });
    // An idle index does not keep a program running that forgot to close it.
    this.#worker.unref();
  }

  /**
   * Has an operation performed.
   *
   * @param transfer buffers in it that are given away
   * @throws LociError what it failed with; `CANCELLED` or `DEADLINE_EXCEEDED` at once when the call is over;
   *   `STORE_UNAVAILABLE` when the thread died
   */
  async perform<Operation extends IndexOperation>(
    operation: Operation,
    options?: CallOptions,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<ResultOf<Operation>> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
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
      if (this.#waiting.size === 1) this.#worker.ref();
      this.#worker.postMessage({ id, operation } satisfies MessageToIndex, transfer);
    });
    return result as ResultOf<Operation>;
  }

  /** Finishes what was accepted, then ends the thread. */
  async close(): Promise<void> {
    if (this.#failure === undefined) {
      await this.perform({ type: "close" });
      this.#worker.ref();
    }
    await this.#exited.promise;
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    return waiting;
  }

  #fail(failure: LociError): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
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

function threadStopped(cause: unknown): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message: "The thread that holds the index has stopped.",
    advice: "Close the store and open it again. Nothing is lost: the ledger has everything.",
    cause,
  });
}
