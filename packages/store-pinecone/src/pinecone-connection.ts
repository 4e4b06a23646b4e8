import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import { LociError, longestTimer, throwIfAborted } from "@loci/domain";
import { Pinecone } from "@pinecone-database/pinecone";

export interface PineconeConnectionOptions {
  readonly apiKey: string;
  /** Of the control plane. Default: the service's. */
  readonly controllerUrl?: string | undefined;
  /** How often a request is sent again after 429, 5xx or a broken connection. Default 5. */
  readonly maxRetries?: number | undefined;
  /** Before the first retry, in milliseconds; doubled for each one after it, a quarter more or less. Default 200. */
  readonly firstRetryDelay?: number | undefined;
  /** Milliseconds after which a request without an answer is given up, as if the connection had broken. Default 30,000. */
  readonly requestTimeout?: number | undefined;
}

/** What the service says of a namespace's log: writes get a number, reads say up to which one they have seen. */
export interface LogPosition {
  readonly written: number | undefined;
  readonly seen: number | undefined;
}

/** One call of the SDK, which knows neither signals nor the headers of answers. */
interface RunningCall {
  readonly signal: AbortSignal;
  status: number | undefined;
  written: number | undefined;
  seen: number | undefined;
}

const longestRetryDelay = 10_000;

/**
 * The SDK with what it lacks: calls that can be aborted, retries of 429, the log's numbers, and errors for people. What the
 * service says in an error is not repeated: it may quote a record.
 */
export class PineconeConnection {
  readonly client: Pinecone;
  readonly #calls = new AsyncLocalStorage<RunningCall>();
  readonly #maxRetries: number;
  readonly #firstRetryDelay: number;
  readonly #requestTimeout: number;

  constructor({
    apiKey,
    controllerUrl,
    maxRetries = 5,
    firstRetryDelay = 200,
    requestTimeout = 30_000,
  }: PineconeConnectionOptions) {
    this.#maxRetries = maxRetries;
    this.#firstRetryDelay = firstRetryDelay;
    this.#requestTimeout = requestTimeout;
    this.client = new Pinecone({
      apiKey,
      ...(controllerUrl === undefined ? {} : { controllerHostUrl: controllerUrl }),
      fetchApi: (input, init) => this.#fetch(input, init),
      maxRetries: 0,
    });
  }

  /**
   * @returns `undefined` for what the service does not have
   * @throws LociError `STORE_UNAVAILABLE`, `INVALID_CONFIGURATION`, `INTERNAL`; what `signal` was aborted with
   */
  async run<Result>(
    work: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<(LogPosition & { readonly result: Result }) | undefined> {
    throwIfAborted(signal);
    const call: RunningCall = { signal, status: undefined, written: undefined, seen: undefined };
    try {
      const result = await this.#calls.run(call, work);
      return { result, written: call.written, seen: call.seen };
    } catch (error) {
      throwIfAborted(signal);
      if (call.status === 404) return undefined;
      throw errorOf(call.status, error);
    }
  }

  async #fetch(input: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    const call = this.#calls.getStore();
    if (call === undefined) throw new Error("A request outside of run.");
    for (let attempt = 0; ; attempt++) {
      const response = await this.#attempt(call, input, init);
      call.status = response?.status;
      const isLast = attempt >= this.#maxRetries || call.signal.aborted;
      if (response !== undefined && !mayPass(response.status)) {
        call.written = positionOf(response.headers.get("x-pinecone-request-lsn")) ?? call.written;
        call.seen = positionOf(response.headers.get("x-pinecone-max-indexed-lsn")) ?? call.seen;
        return response;
      }
      await response?.body?.cancel();
      if (isLast) throw new Error("No answer.");
      const backOff = this.#firstRetryDelay * 2 ** attempt * (0.75 + Math.random() / 2);
      const asked = Number(response?.headers.get("retry-after") ?? 0) * 1000;
      const delay = Math.min(longestRetryDelay, Math.max(backOff, Number.isFinite(asked) ? asked : 0));
      await setTimeout(delay, undefined, { signal: call.signal });
    }
  }

  /** `undefined` when the connection failed, or nothing came in time. */
  async #attempt(
    { signal }: RunningCall,
    input: string | URL | Request,
    init: RequestInit | undefined,
  ): Promise<Response | undefined> {
    try {
      const timeLimit = AbortSignal.timeout(Math.min(this.#requestTimeout, longestTimer));
      return await fetch(input, { ...init, signal: AbortSignal.any([signal, timeLimit]) });
    } catch {
      throwIfAborted(signal);
      return undefined;
    }
  }
}

function mayPass(status: number): boolean {
  return status === 429 || status >= 500;
}

function positionOf(header: string | null): number | undefined {
  return header === null || !/^\d+$/.test(header) ? undefined : Number(header);
}

function errorOf(status: number | undefined, cause: unknown): LociError {
  if (LociError.is(cause)) return cause;
  const isBroken = status === undefined || status < 300;
  if (isBroken || mayPass(status))
    return new LociError("STORE_UNAVAILABLE", {
      message: `Pinecone ${isBroken ? "cannot be reached, or does not finish its answer" : `answers with status ${status}`}.`,
      resource: "pinecone",
      advice: "Try again later.",
    });
  if (status === 401 || status === 403)
    return new LociError("INVALID_CONFIGURATION", {
      message: `Pinecone refuses the API key with status ${status}.`,
      field: "apiKey",
      advice: "Check the key, and what it may do.",
    });
  return new LociError("INTERNAL", {
    message: `Pinecone refuses a request with status ${status}.`,
    resource: "pinecone",
    advice: "Report this.",
  });
}
