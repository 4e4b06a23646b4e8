import { LociError } from "@loci/domain";
import type { OpenAiCompatibleModelOptions } from "./openai-compatible-model-options.ts";

/** Options with their defaults filled in. */
export interface CheckedOptions extends Pick<Required<OpenAiCompatibleModelOptions>, "model"> {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly attemptTimeLimit: number;
  readonly maxRetries: number;
  readonly firstRetryDelay: number;
  readonly maxReplyBytes: number;
  readonly structuredOutput: "json_schema" | "json_object" | "none";
  readonly outputLimitField: "max_tokens" | "max_completion_tokens";
}

/** @throws LociError `INVALID_CONFIGURATION` with the field at fault and never its value, which may be a secret */
export function checkOptions(options: OpenAiCompatibleModelOptions): CheckedOptions {
  const { apiKey, structuredOutput = "json_schema", outputLimitField = "max_tokens" } = options;
  if (typeof options.model !== "string" || options.model === "" || !options.model.isWellFormed())
    throw invalid("model", "must be a model's name");
  // A header with a line break in it would make fetch throw an error that quotes the key.
  if (apiKey !== undefined && (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)))
    throw invalid("apiKey", "must be printable ASCII without spaces");
  if (!["json_schema", "json_object", "none"].includes(structuredOutput))
    throw invalid("structuredOutput", "must be json_schema, json_object or none");
  if (!["max_tokens", "max_completion_tokens"].includes(outputLimitField))
    throw invalid("outputLimitField", "must be max_tokens or max_completion_tokens");
  return {
    url: completionsUrl(options.baseUrl),
    model: options.model,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    attemptTimeLimit: numberIn(options.attemptTimeLimit ?? 60_000, "attemptTimeLimit", 1, 3_600_000),
    maxRetries: numberIn(options.maxRetries ?? 2, "maxRetries", 0, 10),
    firstRetryDelay: numberIn(options.firstRetryDelay ?? 500, "firstRetryDelay", 0, 60_000),
    maxReplyBytes: numberIn(options.maxReplyBytes ?? 10_000_000, "maxReplyBytes", 1, 100_000_000),
    structuredOutput,
    outputLimitField,
  };
}

function completionsUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw invalid("baseUrl", "must be an http or https URL");
  if (url.username !== "" || url.password !== "") throw invalid("baseUrl", "must hold no user name and no password");
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

function numberIn(value: number, field: string, low: number, high: number): number {
  if (!Number.isInteger(value) || value < low || value > high)
    throw invalid(field, `must be a whole number from ${low} to ${high}`);
  return value;
}

function invalid(field: string, problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${field} of the language model ${problem}.`,
    field,
    advice: "Correct the configuration of the language model.",
  });
}
