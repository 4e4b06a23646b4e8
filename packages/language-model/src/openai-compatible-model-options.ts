import type { ModelEndpointOptions } from "@loci/model-endpoint";

/** How to reach a server with OpenAI's chat completions, and how patient to be with it. */
export interface OpenAiCompatibleModelOptions extends ModelEndpointOptions {
  /**
   * How a request asks for JSON: by schema, just for an object, or not at all, for servers that refuse what they do not
   * know. Default `json_schema`.
   */
  readonly structuredOutput?: "json_schema" | "json_object" | "none" | undefined;
  /** How a request says how long the answer may be. OpenAI's reasoning models know only the second. Default `max_tokens`. */
  readonly outputLimitField?: "max_tokens" | "max_completion_tokens" | undefined;
}
