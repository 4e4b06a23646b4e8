import { LociError, throwIfAborted } from "@loci/domain";
import { type EndpointPurpose, ModelEndpoint, refuseOption } from "@loci/model-endpoint";
import { checkBatch, checkOpen, closed } from "./check-call.ts";
import type { Embedder } from "./embedder.ts";
import { readEmbeddingReply } from "./embedding-reply.ts";
import type { OpenAiCompatibleEmbedderOptions } from "./openai-compatible-embedder-options.ts";
import { unitVector } from "./unit-vector.ts";

const purpose: EndpointPurpose = {
  name: "embedding model",
  path: "embeddings",
  unavailable: "EMBEDDER_UNAVAILABLE",
  refusedAdvice: "Check base URL, model name, requestDimensions, maxInputTokens and requestTexts.",
};

/** What one call takes; it is sent in as many requests as it needs. */
const maxBatch = 1_024;

/**
 * Any server with OpenAI's embeddings: OpenAI, Ollama, vLLM, TEI, LM Studio, most gateways.
 *
 * Texts are sent in several requests at once; vectors are scaled to length 1. A text of nothing but white space is not
 * sent and gets the zero vector.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function openAiCompatibleEmbedder(options: OpenAiCompatibleEmbedderOptions): Embedder {
  const { model, dimensions, prefixes = {}, provider = "openai-compatible", version = "1" } = options;
  const endpoint = new ModelEndpoint({ attemptTimeLimit: 30_000, maxReplyBytes: 100_000_000, ...options }, purpose);
  checkRange("dimensions", dimensions, 1, 65_536);
  const limits: RequestLimits = {
    texts: checkRange("requestTexts", options.requestTexts ?? 128, 1, maxBatch),
    length: checkRange("requestLength", options.requestLength ?? 200_000, 1, 100_000_000),
  };
  const concurrency = checkRange("concurrency", options.concurrency ?? 4, 1, 64);
  const closing = new AbortController();

  const request = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    const body = {
      model,
      input: texts,
      encoding_format: "float",
      ...(options.requestDimensions === true ? { dimensions } : {}),
    };
    const { vectors } = await endpoint.post(body, (reply) => readEmbeddingReply(reply, texts.length), signal);
    return vectors.map((vector) => checkedVector(vector, dimensions));
  };

  return {
    space: { provider, model, dimensions, version },
    maxBatch,
    maxInputTokens: checkRange("maxInputTokens", options.maxInputTokens ?? 512, 16, 1_000_000),
    relevanceWeight: checkShare("relevanceWeight", options.relevanceWeight ?? 0.6),
    floors: {
      relevance: checkShare("relevanceFloor", options.relevanceFloor ?? 0.2),
      answer: checkShare("answerFloor", options.answerFloor ?? 0.3),
    },
    gates: { duplicate: checkShare("duplicateGate", options.duplicateGate ?? 0.95) },
    async embed(texts, { kind, signal }) {
      checkOpen(closing.signal.aborted);
      throwIfAborted(signal);
      checkBatch(texts, maxBatch);
      const prefix = prefixes[kind] ?? "";
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions));
      const places = [...texts.keys()].filter((place) => (texts[place] as string).trim() !== "");
      // JSON cannot carry a lone surrogate to every server, and a NUL ends the text in some.
      const sent = places.map((place) => prefix + (texts[place] as string).toWellFormed().replaceAll("\0", " "));
      const requests = requestsOf(sent, limits);
      // One failed request makes the call fail: the others are stopped with it.
      const failed = new AbortController();
      const stop = AbortSignal.any([closing.signal, failed.signal, ...(signal === undefined ? [] : [signal])]);
      const send = async (): Promise<void> => {
        for (let range = requests.shift(); range !== undefined; range = requests.shift()) {
          const made = await request(sent.slice(range.start, range.end), stop);
          for (const [index, vector] of made.entries()) vectors[places[range.start + index] as number] = vector;
        }
      };
      try {
        await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, send));
      } catch (error) {
        failed.abort();
        throwIfAborted(signal);
        throw error;
      }
      return vectors;
    },
    async close() {
      closing.abort(closed());
    },
  };
}

interface RequestLimits {
  readonly texts: number;
  /** UTF-16 units. */
  readonly length: number;
}

/** From the first text, to before the second. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

function requestsOf(texts: readonly string[], limits: RequestLimits): TextRange[] {
  const ranges: TextRange[] = [];
  let start = 0;
  let length = 0;
  for (const [index, text] of texts.entries()) {
    if (index > start && (index - start >= limits.texts || length + text.length > limits.length)) {
      ranges.push({ start, end: index });
      start = index;
      length = 0;
    }
    length += text.length;
  }
  if (start < texts.length) ranges.push({ start, end: texts.length });
  return ranges;
}

function checkedVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The embedding model answered with vectors of ${vector.length} numbers, but dimensions is ${dimensions}.`,
      field: "dimensions",
      advice: `Set dimensions to ${vector.length}, or requestDimensions when the model can shorten its vectors.`,
    });
  const unit = unitVector(vector);
  if (unit === undefined)
    throw new LociError("EMBEDDER_UNAVAILABLE", {
      message: "The embedding model answered with a vector that holds values which are not finite.",
      advice: "Try again later, or look at the model's server.",
    });
  return unit;
}

function checkRange(field: string, value: number, low: number, high: number): number {
  if (Number.isInteger(value) && value >= low && value <= high) return value;
  return refuseOption(purpose, field, `must be a whole number from ${low} to ${high}`);
}

function checkShare(field: string, value: number): number {
  if (value > 0 && value <= 1) return value;
  return refuseOption(purpose, field, "must be above 0 and at most 1");
}
