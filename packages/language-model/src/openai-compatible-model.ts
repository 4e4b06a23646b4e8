import { LociError, throwIfAborted } from "@loci/domain";
import { type ChatReply, readChatReply } from "./chat-reply.ts";
import { checkOptions } from "./check-options.ts";
import type { GeneratedText, GenerateRequest, LanguageModel } from "./language-model.ts";
import type { OpenAiCompatibleModelOptions } from "./openai-compatible-model-options.ts";
import { pause } from "./pause.ts";
import { readLimitedBody } from "./read-limited-body.ts";
import { retryAfter } from "./retry-after.ts";

/** No server may make a call wait longer than this for its next attempt. */
const longestRetryDelay = 30_000;

/** An attempt that failed, and whether another may do better. */
interface Failure {
  readonly error: LociError;
  readonly mayRetry: boolean;
  /** What the server asks to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/**
 * Any server with OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp, most gateways.
 *
 * Its errors hold the server's status and never its words, the prompt or the key. Redirects are not followed: they
 * would take the key along.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function openAiCompatibleModel(options: OpenAiCompatibleModelOptions): LanguageModel {
  const checked = checkOptions(options);
  return {
    model: checked.model,
    generate: async (request) => {
      for (let attempt = 0; ; attempt++) {
        throwIfAborted(request.signal);
        const result = await attemptOnce(checked, request);
        if ("text" in result) return result;
        throwIfAborted(request.signal);
        if (!result.mayRetry || attempt >= checked.maxRetries) throw result.error;
        const backOff = checked.firstRetryDelay * 2 ** attempt * (0.75 + Math.random() / 2);
        await pause(Math.min(longestRetryDelay, Math.max(backOff, result.retryAfter ?? 0)), request.signal);
      }
    },
  };
}

type CheckedOptions = ReturnType<typeof checkOptions>;

async function attemptOnce(options: CheckedOptions, request: GenerateRequest): Promise<GeneratedText | Failure> {
  const timeLimit = AbortSignal.timeout(options.attemptTimeLimit);
  const signal = request.signal === undefined ? timeLimit : AbortSignal.any([request.signal, timeLimit]);
  try {
    const response = await fetch(options.url, {
      method: "POST",
      headers: options.headers,
      body: JSON.stringify(requestBody(options, request)),
      redirect: "error",
      signal,
    });
    if (!response.ok) {
      // Its body may quote the key or the prompt.
      await response.body?.cancel();
      return refusal(response);
    }
    const body = await readLimitedBody(response, options.maxReplyBytes);
    if (body === undefined) return unusable(`Its answer is larger than ${options.maxReplyBytes} bytes.`, false);
    const reply = readChatReply(body);
    return typeof reply === "string" ? unusable(reply, false) : generated(reply);
  } catch (error) {
    if (timeLimit.aborted) return unusable(`It did not answer within ${options.attemptTimeLimit} ms.`, true);
    return unusable(`It cannot be reached (${networkCode(error)}).`, true);
  }
}

function requestBody(options: CheckedOptions, { system, prompt, schema, maxOutputTokens }: GenerateRequest): object {
  return {
    model: options.model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ],
    [options.outputLimitField]: maxOutputTokens,
    ...(schema === undefined ? {} : responseFormat(options.structuredOutput, schema)),
  };
}

function responseFormat(
  form: CheckedOptions["structuredOutput"],
  schema: NonNullable<GenerateRequest["schema"]>,
): object {
  switch (form) {
    case "json_schema":
      return { response_format: { type: "json_schema", json_schema: { ...schema, strict: true } } };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "none":
      return {};
  }
}

function generated({ text, isCutOff, usage }: ChatReply): GeneratedText {
  return { text, isCutOff, ...(usage === undefined ? {} : { usage }) };
}

function refusal(response: Response): Failure {
  const { status } = response;
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return { ...unusable(`It answered with status ${status}.`, true), retryAfter: retryAfter(response.headers) };
  return {
    mayRetry: false,
    error: new LociError("INVALID_CONFIGURATION", {
      message: `The language model's server refused the request with status ${status}.`,
      advice:
        status === 401 || status === 403
          ? "Check the API key, and whether it may use this model."
          : "Check base URL, model name, structuredOutput and outputLimitField.",
    }),
  };
}

function unusable(message: string, mayRetry: boolean): Failure {
  return {
    mayRetry,
    error: new LociError("LANGUAGE_MODEL_UNAVAILABLE", {
      message: `The language model gave no usable answer. ${message}`,
      advice: "Try again later.",
    }),
  };
}

/** `ECONNREFUSED` and the like. The text of a network error may hold more than it should. */
function networkCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ("code" in at && typeof at.code === "string" && /^[A-Z_]{1,40}$/.test(at.code)) return at.code;
  return "network error";
}
