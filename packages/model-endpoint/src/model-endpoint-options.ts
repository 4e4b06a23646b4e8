import type { ErrorReason } from "@loci/domain";

/** How to reach a model's server, and how patient to be with it. */
export interface ModelEndpointOptions {
  /** Without the path of the call: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** As the server names it. */
  readonly model: string;
  /** Sent as a bearer token. Local servers need none. */
  readonly apiKey?: string | undefined;
  /** For one attempt, the whole answer included, in milliseconds. Default 60,000. */
  readonly attemptTimeLimit?: number | undefined;
  /** How often a request is sent again after 408, 409, 429, 5xx, a time-out or a broken connection. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Before the first retry, in milliseconds; doubled for each one after it, a quarter more or less. Default 500. */
  readonly firstRetryDelay?: number | undefined;
  /** The most an answer may take, unpacked, in bytes. Default 10,000,000. */
  readonly maxReplyBytes?: number | undefined;
}

/** What the endpoint is for: what errors say of it. */
export interface EndpointPurpose {
  /** Such as `language model`. */
  readonly name: string;
  /** Such as `chat/completions`: appended to the base URL. */
  readonly path: string;
  /** The reason of errors that may pass. */
  readonly unavailable: ErrorReason;
  /** A server that asks to wait longer than this, in milliseconds, is not waited for. Default 30,000. */
  readonly longestWait?: number | undefined;
  /** What to look at when the server refuses a request, other than the key. */
  readonly refusedAdvice: string;
}
