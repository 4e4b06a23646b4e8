import { setTimeout as sleep } from "node:timers/promises";
import { type MethodDefinition, status } from "@grpc/grpc-js";
import { errorFromStatus, failedForTls, readAnswer, retryAfterDetail } from "@loci/api";
import { type Instant, LociError, throwIfAborted } from "@loci/domain";
import type { CalledServer } from "./called-server.ts";
import { lostConnection } from "./lost-connection.ts";
import { reachServer } from "./reach-server.ts";
import { Resumption } from "./resumption.ts";
import type { RunningCall } from "./running-calls.ts";
import type { ServerConnection } from "./server-connection.ts";
import { serverStream } from "./server-stream.ts";

export interface ServerCallsOptions {
  readonly server: CalledServer;
  readonly timeoutMilliseconds: number;
  /** How long a stream that has begun and was lost is taken up again. Default 60,000: an ordinary restart of a server. */
  readonly resumeMilliseconds?: number | undefined;
}

/**
 * How often a call is sent at most by a client that no server has answered yet: its address may be wrong. With the pauses between, some
 * four seconds. One that was answered goes on until its time is over: a busy server takes longer to be back.
 */
const maxAttemptsUnanswered = 7;
/** The same where client and server do not agree on TLS: nothing but another server at the address would help. */
const maxAttemptsAtTls = 2;
const firstPauseMilliseconds = 100;
const longestPauseMilliseconds = 2_000;
const defaultResumeMilliseconds = 60_000;

/**
 * In milliseconds: 24 days. A timer, of the server's too, runs for less than 25; what is much further away gRPC cannot even
 * say, and throws where nobody listens.
 */
const longestTimeout = 24 * 86_400_000;

/** Calls the server's methods, and repeats what may be repeated while it cannot be reached. */
export class ServerCalls {
  readonly #options: ServerCallsOptions;

  constructor(options: ServerCallsOptions) {
    this.#options = options;
  }

  /**
   * One call of the server.
   *
   * @param isRepeatable false for what must not happen twice and has no idempotency key
   * @throws LociError what the server said, or what is wrong with the connection
   */
  async unary<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    call: RunningCall,
    isRepeatable = true,
  ): Promise<Response> {
    const deadline = call.deadline ?? Date.now() + this.#options.timeoutMilliseconds;
    const renewal = { isDone: false };
    for (let attempt = 1; ; attempt++) {
      const { connection } = this.#options.server;
      await reachServer(connection, { signal: call.signal, deadline });
      try {
        const answer = await attemptCall(connection, method, request, { signal: call.signal, deadline });
        connection.answered.before = true;
        return answer;
      } catch (error) {
        throwIfAborted(call.signal);
        if (!LociError.is(error)) throw error;
        if (error.reason === "DEADLINE_EXCEEDED" && call.deadline === undefined)
          throw noAnswer(connection.address, this.#options.timeoutMilliseconds, error);
        if (this.#isKeyRenewed(error, connection, renewal)) continue;
        await this.#pauseBefore(attempt + 1, error, { connection, signal: call.signal, deadline, isRepeatable });
      }
    }
  }

  /**
   * The answers of a call that gives many, for as long as it has no deadline of its own. When the connection is lost it goes on
   * where it was, as soon as the server can be reached, and is given up when that takes longer than a restart. One that has not
   * begun fails as a call does.
   *
   * @param resumed the request that goes on behind an answer
   * @throws LociError as {@link unary}
   */
  async *stream<Request, Response>(
    method: MethodDefinition<Request, Response>,
    first: Request,
    resumed: (last: Response) => Request,
    { signal, deadline }: Omit<RunningCall, "requestId">,
  ): AsyncGenerator<Response, void, undefined> {
    let request = first;
    const renewal = { isDone: false };
    const resumption = new Resumption(this.#options.resumeMilliseconds ?? defaultResumeMilliseconds);
    for (let attempt = 1; ; attempt++) {
      const { connection } = this.#options.server;
      let isReached = false;
      try {
        await reachServer(connection, { signal, deadline: deadline ?? Infinity });
        isReached = true;
        throwIfAborted(signal);
        for await (const answer of serverStream({
          ...connection,
          method,
          request,
          signal,
          deadline: inReach(deadline),
        })) {
          connection.answered.before = true;
          yield answer;
          request = resumed(answer);
          attempt = 0;
          resumption.hasCome();
          renewal.isDone = false;
        }
        return;
      } catch (error) {
        throwIfAborted(signal);
        if (!LociError.is(error) || !(isReached || resumption.hasBegun)) throw error;
        if (this.#isKeyRenewed(error, connection, renewal)) continue;
        const end = { connection, signal, deadline: deadline ?? Infinity, isRepeatable: true, resumption };
        await this.#pauseBefore(attempt + 1, error, end);
      }
    }
  }

  /** Turns an answer into a domain type. @throws LociError `INTERNAL` when it holds what this client does not know */
  read<Response, Result>(response: Response, read: (response: Response) => Result): Result {
    try {
      return readAnswer(() => read(response));
    } catch (cause) {
      throw new LociError("INTERNAL", {
        message: `The answer of ${this.#address} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
        resource: this.#address,
        advice: "Update the client: the server may be newer.",
        cause,
      });
    }
  }

  /** How long a call without a deadline of its own may take. */
  get timeoutMilliseconds(): number {
    return this.#options.timeoutMilliseconds;
  }

  close(): void {
    this.#options.server.close();
  }

  /** Resolves when it is time to try again. @throws LociError the error, when that would not help */
  async #pauseBefore(
    attempt: number,
    error: LociError,
    { connection, signal, deadline, isRepeatable, resumption }: PauseLimits,
  ): Promise<void> {
    // A call that the server asks to come back later has not begun, whatever it is.
    const told = retryAfter(error);
    const pause = pauseAfter(attempt - 1) + (told ?? 0);
    const mayHelp = told !== undefined || (isRepeatable && error.code === "UNAVAILABLE");
    if (!mayHelp || Date.now() + pause >= deadline) throw error;
    if (resumption?.hasBegun === true) resumption.checkPause(pause, error);
    else if (attempt > attemptsAtMost(connection, error, deadline)) throw error;
    await sleep(pause, undefined, { signal }).catch(() => throwIfAborted(signal));
  }

  get #address(): string {
    return this.#options.server.connection.address;
  }

  /**
   * Whether a call may go to another server than the one it failed at. A refused key is enough to send any call again, once:
   * it has not begun. Where nobody answers, what follows says whether and when to try again; only where is found here.
   */
  #isKeyRenewed(error: LociError, failed: ServerConnection, renewal: { isDone: boolean }): boolean {
    const isRefused = error.reason === "CREDENTIAL_INVALID";
    if (!isRefused && error.code !== "UNAVAILABLE") return false;
    if (isRefused && renewal.isDone) return false;
    const isAnother = this.#options.server.renew(failed);
    if (!isRefused || !isAnother) return false;
    renewal.isDone = true;
    return true;
  }
}

/** What has no end is not waited for without end. */
function attemptsAtMost({ maxAttempts, answered }: ServerConnection, error: LociError, deadline: Instant): number {
  const isPatient = answered.before && Number.isFinite(deadline);
  const most = maxAttempts ?? (isPatient ? Infinity : maxAttemptsUnanswered);
  return failedForTls(error) ? Math.min(most, maxAttemptsAtTls) : most;
}

/** What keeps a call from being sent again. */
interface PauseLimits {
  /** At which it failed. */
  readonly connection: ServerConnection;
  readonly signal: AbortSignal;
  readonly deadline: Instant;
  readonly isRepeatable: boolean;
  /** Of a stream. */
  readonly resumption?: Resumption;
}

/** Of a call that its caller gave no deadline. */
function noAnswer(address: string, milliseconds: number, cause: LociError): LociError {
  return new LociError("DEADLINE_EXCEEDED", {
    message: `${address} did not answer within ${milliseconds / 1_000} s, as long as this client waits for a call without a deadline.`,
    resource: cause.resource ?? address,
    advice:
      "Check whether the server there is stopped, or busy. Give the call a `deadline`, or the client another `timeoutMilliseconds`, " +
      "to wait for less or longer.",
    cause,
  });
}

/** Sends a call once. @throws LociError what came of it */
function attemptCall<Request, Response>(
  { client, metadata, address }: ServerConnection,
  method: MethodDefinition<Request, Response>,
  request: Request,
  { signal, deadline }: { readonly signal: AbortSignal; readonly deadline: Instant },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (deadline <= Date.now()) {
      reject(errorFromStatus({ code: status.DEADLINE_EXCEEDED, details: "" }, address));
      return;
    }
    const { path, requestSerialize, responseDeserialize } = method;
    const sent = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      { deadline: inReach(deadline) },
      (error, response) => {
        signal.removeEventListener("abort", onAbort);
        if (error === null && response !== undefined) resolve(response);
        else reject(errorFromStatus(signal.aborted || error === null ? error : lostConnection(error), address));
      },
    );
    const onAbort = (): void => sent.cancel();
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

function inReach(deadline: Instant): Instant;
function inReach(deadline: Instant | undefined): Instant | undefined;
function inReach(deadline: Instant | undefined): Instant | undefined {
  return deadline === undefined ? undefined : Math.min(deadline, Date.now() + longestTimeout);
}

/** How long the server wants not to be called, in milliseconds, if it has said so. */
function retryAfter({ code, details }: LociError): number | undefined {
  const milliseconds = Number(details[retryAfterDetail]);
  if (code !== "RESOURCE_EXHAUSTED" || !Number.isSafeInteger(milliseconds) || milliseconds < 0) return undefined;
  return Math.min(milliseconds, longestTimeout);
}

/** Half of it is chance, so that many clients do not come back at the same moment. */
function pauseAfter(attempt: number): number {
  const longest = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** (attempt - 1));
  return longest * (0.5 + Math.random() / 2);
}
