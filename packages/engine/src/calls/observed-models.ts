import { LociError } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import type { GeneratedText, LanguageModel } from "@loci/language-model";
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { engineInstruments } from "./engine-metrics.ts";

/** What OpenTelemetry's conventions for generative AI tell a call by. */
interface ModelOperation {
  readonly name: "chat" | "embeddings";
  readonly provider: string;
  readonly model: string;
}

/**
 * The same language model, each of whose calls is a span and counts in the metrics by OpenTelemetry's conventions for generative
 * AI. Neither prompts nor answers are noted.
 */
export function observedLanguageModel(model: LanguageModel): LanguageModel {
  const { provider = "_OTHER", timeLimit } = model;
  return {
    model: model.model,
    provider,
    timeLimit,
    generate: (request) => {
      const operation: ModelOperation = { name: "chat", provider, model: model.model };
      const attributes = { "gen_ai.request.max_tokens": request.maxOutputTokens };
      return observe(operation, attributes, async (span) => {
        const answer = await model.generate(request);
        noteAnswer(operation, span, answer);
        return answer;
      });
    },
  };
}

/** The same embedder, observed like a language model. */
export function observedEmbedder(embedder: Embedder): Embedder {
  const { provider, model, dimensions } = embedder.space;
  const operation: ModelOperation = { name: "embeddings", provider, model };
  const attributes = { "gen_ai.embeddings.dimension.count": dimensions };
  return {
    space: embedder.space,
    maxInputTokens: embedder.maxInputTokens,
    maxBatch: embedder.maxBatch,
    relevanceWeight: embedder.relevanceWeight,
    floors: embedder.floors,
    gates: embedder.gates,
    understands: embedder.understands,
    embed: (texts, options) => observe(operation, attributes, () => embedder.embed(texts, options)),
    close: () => embedder.close(),
  };
}

function observe<Result>(
  { name, provider, model }: ModelOperation,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const known = { "gen_ai.operation.name": name, "gen_ai.provider.name": provider, "gen_ai.request.model": model };
  const options = { kind: SpanKind.CLIENT, attributes: { ...known, ...attributes } };
  return trace.getTracer("@loci/engine").startActiveSpan(`${name} ${model}`, options, async (span) => {
    const start = performance.now();
    let failure: string | undefined;
    try {
      return await work(span);
    } catch (error) {
      failure = LociError.is(error) ? error.reason : "_OTHER";
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", failure);
      throw error;
    } finally {
      const seconds = (performance.now() - start) / 1_000;
      const ended = failure === undefined ? known : { ...known, "error.type": failure };
      engineInstruments.record("gen_ai.client.operation.duration", seconds, ended);
      span.end();
    }
  });
}

function noteAnswer({ name, provider, model }: ModelOperation, span: Span, { usage, isCutOff }: GeneratedText): void {
  span.setAttribute("gen_ai.response.finish_reasons", [isCutOff ? "length" : "stop"]);
  if (usage === undefined) return;
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  span.setAttributes({
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.cache_read.input_tokens": cachedInputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
  });
  for (const [type, tokens] of [["input", inputTokens] as const, ["output", outputTokens] as const])
    engineInstruments.record("gen_ai.client.token.usage", tokens, {
      "gen_ai.operation.name": name,
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      "gen_ai.token.type": type,
    });
}
