import { type EndpointPurpose, ModelEndpoint, refuseOption } from "@loci/model-endpoint";
import { readChatReply } from "./chat-reply.ts";
import type { GenerateRequest, LanguageModel } from "./language-model.ts";
import {
  type OpenAiCompatibleModelOptions,
  outputLimitFields,
  type StructuredOutput,
  structuredOutputs,
} from "./openai-compatible-model-options.ts";

const purpose: EndpointPurpose = {
  name: "language model",
  path: "chat/completions",
  unavailable: "LANGUAGE_MODEL_UNAVAILABLE",
  // Whoever asks goes by rules meanwhile, and does not wait for long.
  longestWait: 10_000,
  refusedAdvice: "Check base URL, model name, structuredOutput and outputLimitField.",
};

const longestTimeLimit = 3_600_000;
const shortestAttempt = 60_000;

/**
 * Any server with OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp, most gateways.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function openAiCompatibleModel(options: OpenAiCompatibleModelOptions): LanguageModel {
  const {
    model,
    structuredOutput = "json_schema",
    outputLimitField = "max_tokens",
    reasoningEffort,
    timeLimit,
  } = options;
  if (timeLimit !== undefined && !(Number.isInteger(timeLimit) && timeLimit >= 1 && timeLimit <= longestTimeLimit))
    refuseOption(purpose, "timeLimit", `must be a whole number from 1 to ${longestTimeLimit}`);
  // Who waits for longer does so for an attempt.
  const attemptTimeLimit = options.attemptTimeLimit ?? Math.max(shortestAttempt, timeLimit ?? 0);
  const endpoint = new ModelEndpoint({ ...options, attemptTimeLimit }, purpose);
  if (!structuredOutputs.includes(structuredOutput))
    refuseOption(purpose, "structuredOutput", "must be json_schema, json_object or none");
  if (!outputLimitFields.includes(outputLimitField))
    refuseOption(purpose, "outputLimitField", "must be max_tokens or max_completion_tokens");
  if (
    reasoningEffort !== undefined &&
    !(typeof reasoningEffort === "string" && /^[a-z_-]{1,40}$/.test(reasoningEffort))
  )
    refuseOption(purpose, "reasoningEffort", "must be a word such as minimal, low, medium or high");
  return {
    model,
    provider: "openai",
    ...(timeLimit === undefined ? {} : { timeLimit }),
    generate: async ({ system, prompt, schema, maxOutputTokens, signal }) => {
      const body = {
        model,
        messages: [
          { role: "system", content: system },
          { role: "user", content: prompt },
        ],
        [outputLimitField]: maxOutputTokens,
        ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
        ...(schema === undefined ? {} : responseFormat(structuredOutput, schema)),
      };
      const { text, isCutOff, usage } = await endpoint.post(body, readChatReply, signal);
      return { text, isCutOff, ...(usage === undefined ? {} : { usage }) };
    },
  };
}

function responseFormat(form: StructuredOutput, schema: NonNullable<GenerateRequest["schema"]>): object {
  switch (form) {
    case "json_schema":
      return { response_format: { type: "json_schema", json_schema: { ...schema, strict: true } } };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "none":
      return {};
  }
}
