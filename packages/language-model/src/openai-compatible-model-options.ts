/** How to reach a server with OpenAI's chat completions, and how patient to be with it. */
export interface OpenAiCompatibleModelOptions {
  /** Up to and without `/chat/completions`: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  readonly baseUrl: string;
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
  /**
   * How a request asks for JSON: by schema, just for an object, or not at all, for servers that refuse what they do not
   * know. Default `json_schema`.
   */
  readonly structuredOutput?: "json_schema" | "json_object" | "none" | undefined;
  /** How a request says how long the answer may be. OpenAI's reasoning models know only the second. Default `max_tokens`. */
  readonly outputLimitField?: "max_tokens" | "max_completion_tokens" | undefined;
}
