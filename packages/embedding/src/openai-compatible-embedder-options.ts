import type { ModelEndpointOptions } from "@loci/model-endpoint";
import type { Embedder } from "./embedder.ts";

/** How to reach a server with OpenAI's embeddings, and what is known of the model behind it. */
export interface OpenAiCompatibleEmbedderOptions extends ModelEndpointOptions {
  /** Numbers in each vector the model answers with. */
  readonly dimensions: number;
  /**
   * Whether to ask for that many. For models that can shorten their vectors, such as `text-embedding-3-large`; servers
   * that do not know the field may refuse it. Default false.
   */
  readonly requestDimensions?: boolean | undefined;
  /** Whose model it is, for the embedding space. Default `openai-compatible`. */
  readonly provider?: string | undefined;
  /** Change it when the same text would get another vector: it is part of the embedding space. Default `1`. */
  readonly version?: string | undefined;
  /** Longest text the model reads to the end, in its own tokens. Default 512. */
  readonly maxInputTokens?: number | undefined;
  /** Put before each question and each document, for models trained with such words (E5, Nomic, BGE). Default none. */
  readonly prefixes?: { readonly query?: string | undefined; readonly document?: string | undefined } | undefined;
  /** Texts a request. Default 128. */
  readonly requestTexts?: number | undefined;
  /** UTF-16 units of text a request, unless one text alone is longer. Default 200,000. */
  readonly requestLength?: number | undefined;
  /** Requests under way at once for one call. Default 4. */
  readonly concurrency?: number | undefined;
  /**
   * Weight of the cosine in relevance, 0 to 1. Default 0.6: the best one for two sentence transformers
   * (`docs/guides/which-embedder.md`). Measure yours.
   */
  readonly relevanceWeight?: Embedder["relevanceWeight"] | undefined;
  /** Closeness below which a memory does not answer. Default 0.2, not measured. */
  readonly relevanceFloor?: number | undefined;
  /** Closeness that the closest memory must have, or else nothing answers. Default 0.3, not measured. */
  readonly answerFloor?: number | undefined;
  /** Cosine from which two texts may say the same thing. Default 0.95, not measured. */
  readonly duplicateGate?: number | undefined;
}
