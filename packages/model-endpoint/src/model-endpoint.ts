import { LociError, throwIfAborted } from "@loci/domain";
import { type CheckedEndpoint, checkEndpointOptions } from "./check-endpoint-options.ts";
import type { EndpointPurpose, ModelEndpointOptions } from "./model-endpoint-options.ts";
import { pause } from "./pause.ts";
import { readLimitedBody } from "./read-limited-body.ts";
import { retryAfter } from "./retry-after.ts";

/** A server that asks to wait longer than this is not waited for. */
const defaultLongestWait = 30_000;

/** An attempt that failed, and whether another may do better. */
interface Failure {
  readonly error: LociError;
  readonly mayRetry: boolean;
  /** What the server asks to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The server has taken the request, and nobody says what it has used. */
  readonly isTaken?: boolean | undefined;
}

/**
 * One path of a model's server, asked with JSON.
 *
 * Its errors hold the server's status and never its words, the request or the key. Redirects are not followed: they
 * would take the key along.
 */
export class ModelEndpoint {
  readonly #checked: CheckedEndpoint;
  readonly #purpose: EndpointPurpose;

  /** @throws LociError `INVALID_CONFIGURATION` */
  constructor(options: ModelEndpointOptions, purpose: EndpointPurpose) {
    this.#checked = checkEndpointOptions(options, purpose);
    this.#purpose = purpose;
  }

  /**
   * Sends a request, again when it may help: asking must change nothing.
   *
   * @returns what `read` makes of the answer's body
   * @param read gives a sentence instead, which quotes nothing, when the body is not what it should be
   * @throws LociError the purpose's `unavailable` reason when there is no usable answer, with the number of requests that the server
   *   has taken in `details.requestsTaken` and, where it wants to be left alone for too long, `details.retryAfterMilliseconds`; `INVALID_CONFIGURATION` when the server refuses the request as it is; what `signal` was
   *   aborted with
   */
  async post<Reply extends object>(
    body: object,
    read: (body: string) => Reply | string,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const { maxRetries, firstRetryDelay } = this.#checked;
    const { longestWait = defaultLongestWait } = this.#purpose;
    const text = JSON.stringify(body);
    let taken = 0;
    for (let attempt = 0; ; attempt++) {
      throwIfAborted(signal);
      const answer = await this.#attempt(text, signal);
      const reply = typeof answer === "string" ? this.#read(answer, read) : answer;
      if (!isFailure(reply)) return reply;
      throwIfAborted(signal);
      if (reply.isTaken === true) taken++;
      const { retryAfter: asked = 0 } = reply;
      if (asked > longestWait) throw withDetails(reply.error, { taken, retryAfter: asked });
      if (!reply.mayRetry || attempt >= maxRetries) throw withDetails(reply.error, { taken });
      const backOff = firstRetryDelay * 2 ** attempt * (0.75 + Math.random() / 2);
      await pause(Math.min(longestWait, Math.max(backOff, asked)), signal);
    }
  }

  #read<Reply extends object>(body: string, read: (body: string) => Reply | string): Reply | Failure {
    const reply = read(body);
    return typeof reply === "string" ? this.#unusable(reply, { isTaken: true }) : reply;
  }

  async #attempt(body: string, asked: AbortSignal | undefined): Promise<string | Failure> {
    const { url, headers, attemptTimeLimit, maxReplyBytes } = this.#checked;
    const timeLimit = AbortSignal.timeout(attemptTimeLimit);
    const signal = asked === undefined ? timeLimit : AbortSignal.any([asked, timeLimit]);
    let isTaken = false;
    try {
      const response = await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
      if (!response.ok) {
        // Its body may quote the key or the request.
        await response.body?.cancel();
        return this.#refusal(response);
      }
      isTaken = true;
      const answer = await readLimitedBody(response, maxReplyBytes);
      return answer ?? this.#unusable(`Its answer is larger than ${maxReplyBytes} bytes.`, { isTaken });
    } catch (error) {
      if (timeLimit.aborted)
        return this.#unusable(`It did not answer within ${attemptTimeLimit} ms.`, { mayRetry: true, isTaken: true });
      const problem = isTaken ? "Its answer broke off" : "It cannot be reached";
      return this.#unusable(`${problem} (${networkCode(error)}).`, { mayRetry: true, isTaken });
    }
  }

  #refusal(response: Response): Failure {
    const { name, refusedAdvice } = this.#purpose;
    const { status } = response;
    if (status === 408 || status === 409 || status === 429 || status >= 500)
      return {
        ...this.#unusable(`It answered with status ${status}.`, { mayRetry: true }),
        retryAfter: retryAfter(response.headers),
      };
    return {
      mayRetry: false,
      error: new LociError("INVALID_CONFIGURATION", {
        message: `The ${name}'s server refused the request with status ${status}.`,
        advice:
          status === 401 || status === 403 ? "Check the API key, and whether it may use this model." : refusedAdvice,
      }),
    };
  }

  #unusable(message: string, { mayRetry = false, ...more }: Partial<Omit<Failure, "error">>): Failure {
    const { name, unavailable } = this.#purpose;
    return {
      ...more,
      mayRetry,
      error: new LociError(unavailable, {
        message: `The ${name} gave no usable answer. ${message}`,
        advice: "Try again later.",
      }),
    };
  }
}

function isFailure(reply: object): reply is Failure {
  return "mayRetry" in reply && "error" in reply && LociError.is(reply.error);
}

function withDetails(
  { reason, message, advice }: LociError,
  { taken, retryAfter }: { readonly taken: number; readonly retryAfter?: number },
): LociError {
  return new LociError(reason, {
    message,
    advice,
    details: {
      ...(taken === 0 ? {} : { requestsTaken: String(taken) }),
      ...(retryAfter === undefined ? {} : { retryAfterMilliseconds: String(retryAfter) }),
    },
  });
}

/** `ECONNREFUSED` and the like. The text of a network error may hold more than it should. */
function networkCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ("code" in at && typeof at.code === "string" && /^[A-Z_]{1,40}$/.test(at.code)) return at.code;
  return "network error";
}
