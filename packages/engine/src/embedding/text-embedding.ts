import { chunkText, type Embedder, type EmbeddingCacheStatistics, type EmbeddingKind } from "@loci/embedding";
import { checkVector, LociError, type NonEmpty, type TenantId, throwIfAborted } from "@loci/domain";
import { TextPace } from "../calls/text-pace.ts";
import { withinTime } from "../calls/within-time.ts";

/** What the engine asks of an embedder: the contract's, with the tenant in every call, as caches must not mix tenants. */
export interface TenantEmbedder extends Omit<Embedder, "embed" | "maxBatch" | "close"> {
  embed(
    tenant: TenantId,
    texts: readonly string[],
    options: { readonly kind: EmbeddingKind; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]>;
  /** How often each layer of its cache answered. Absent without one. */
  statistics?(): EmbeddingCacheStatistics;
}

/** Vectors within a time limit, or none: a slow or broken embedder costs meaning, never an answer. */
export class TextEmbedding {
  readonly #embedder: TenantEmbedder;
  readonly #timeLimit: number;

  /** @param timeLimit in milliseconds, for each call */
  constructor(embedder: TenantEmbedder, timeLimit: number) {
    this.#embedder = embedder;
    this.#timeLimit = timeLimit;
  }

  /**
   * The vectors of texts to be kept, in order: one, or one for each chunk of a long text.
   *
   * @returns `undefined` when the embedder failed or took too long
   * @throws LociError what `signal` was aborted with
   */
  async documents(
    tenant: TenantId,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly NonEmpty<Float32Array>[] | undefined> {
    const answer = await withinTime((inner) => this.embedDocuments(tenant, texts, inner), this.#timeLimit, signal);
    return "value" in answer ? answer.value : undefined;
  }

  /** The same without a time limit. @throws LociError `EMBEDDER_UNAVAILABLE`, `INVALID_VECTOR` */
  async embedDocuments(
    tenant: TenantId,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly NonEmpty<Float32Array>[]> {
    const chunks: (readonly string[])[] = [];
    const pace = new TextPace();
    for (const text of texts) {
      if (pace.isDue(text)) await pace.rest();
      chunks.push(chunkText(text, this.#embedder.maxInputTokens));
    }
    throwIfAborted(signal);
    const vectors = await this.#embed(tenant, chunks.flat(), "document", signal);
    let next = 0;
    return chunks.map((parts) => vectors.slice(next, (next += parts.length)) as [Float32Array, ...Float32Array[]]);
  }

  /** The vectors of questions, in order. @returns `undefined` when the embedder failed or took too long */
  async queries(
    tenant: TenantId,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[] | undefined> {
    const answer = await withinTime((inner) => this.#embed(tenant, texts, "query", inner), this.#timeLimit, signal);
    return "value" in answer ? answer.value : undefined;
  }

  async #embed(
    tenant: TenantId,
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const vectors = await this.#embedder.embed(tenant, texts, { kind, signal });
    if (vectors.length !== texts.length)
      throw new LociError("INVALID_VECTOR", {
        message: `The embedder returned ${vectors.length} vectors for ${texts.length} texts.`,
      });
    // A bad vector that reached the log would stop every index behind it.
    vectors.forEach((vector, index) => checkVector(vector, this.#embedder.space.dimensions, `vectors[${index}]`));
    return vectors;
  }
}
