/** The shape an answer must have. Servers may keep to it or not: whoever asks checks what comes back. */
export interface ReplySchema {
  /** `a-z`, `A-Z`, `0-9`, `_` and `-`, at most 64 characters. */
  readonly name: string;
  /** A JSON schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface GenerateRequest {
  /** What the model is to do. The application's own words. */
  readonly system: string;
  /** What it is to do it with. May hold untrusted text. */
  readonly prompt: string;
  /** Asks for JSON of this shape. */
  readonly schema?: ReplySchema | undefined;
  readonly maxOutputTokens: number;
  /** Stops the work; `generate` then rejects with the signal's reason, or `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call used, as the server says. */
export interface GenerateUsage {
  /** All of the input, what came from the provider's cache included. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

export interface GeneratedText {
  /** Untrusted, and not checked against any schema. Empty when the model has refused, or called a tool. */
  readonly text: string;
  /** True when it ends because there were no tokens left. */
  readonly isCutOff: boolean;
  /** Absent when the server did not say. */
  readonly usage?: GenerateUsage | undefined;
}

/** A language model that answers one prompt. It may be tried again with the same request: asking changes nothing. */
export interface LanguageModel {
  /** Its name, for prices and caches. */
  readonly model: string;
  /** Whose interface it has, such as `openai`, for traces and metrics. Default `_OTHER`. */
  readonly provider?: string | undefined;
  /** How long to wait for an answer, in milliseconds. Default: whatever asks has one of its own. */
  readonly timeLimit?: number | undefined;
  /**
   * @throws LociError `LANGUAGE_MODEL_UNAVAILABLE` when there is no usable answer, which may change. Where requests were taken and
   *   not answered to the end, `details.requestsTaken` is their number: each counts with all that it may have used. With `details.retryAfterMilliseconds` the server wants not to be asked before;
   *   `INVALID_CONFIGURATION` when the server refuses the request as it is
   */
  generate(request: GenerateRequest): Promise<GeneratedText>;
}
