import type { ModelEndpointOptions } from "@loci/model-endpoint";

/** How a request can ask for JSON: by schema, just for an object, or not at all. */
export const structuredOutputs = ["json_schema", "json_object", "none"] as const;

export type StructuredOutput = (typeof structuredOutputs)[number];

/** The fields that can say how long an answer may be. */
export const outputLimitFields = ["max_tokens", "max_completion_tokens"] as const;

export type OutputLimitField = (typeof outputLimitFields)[number];

/** How to reach a server with OpenAI's chat completions, and how patient to be with it. */
export interface OpenAiCompatibleModelOptions extends ModelEndpointOptions {
  /**
   * How a request asks for JSON: by schema, just for an object, or not at all, for servers that refuse what they do not
   * know. Default `json_schema`.
   */
  readonly structuredOutput?: StructuredOutput | undefined;
  /** How a request says how long the answer may be. OpenAI's reasoning models know only the second. Default `max_tokens`. */
  readonly outputLimitField?: OutputLimitField | undefined;
  /**
   * How hard a reasoning model thinks, in the server's words, such as `minimal` or `low`: what it thinks counts in how long an answer may
   * be. Sent as `reasoning_effort`. Default: not sent.
   */
  readonly reasoningEffort?: string | undefined;
  /**
   * How long an answer is waited for, further attempts included, in milliseconds. A model on your own machine may need minutes. Default:
   * 30,000 for each call of a capture, 20,000 for all calls of a summary, for which a context waits.
   */
  readonly timeLimit?: number | undefined;
}
