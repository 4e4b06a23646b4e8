import type { EmbeddingSpace } from "@loci/domain";

/** What a text is embedded for. Some models treat questions and documents differently. */
export type EmbeddingKind = "query" | "document";

/** Makes vectors from texts. Declares how much its vectors are worth, so that weak models get little say. */
export interface Embedder {
  readonly space: EmbeddingSpace;
  /** Most texts one call may hold. */
  readonly maxBatch: number;
  /** Longest text it reads to the end, in its own tokens. Longer documents are chunked, and the best chunk counts. */
  readonly maxInputTokens: number;
  /** Weight of the cosine in relevance, 0 to 1; the rest is text. Measured, not guessed. */
  readonly relevanceWeight: number;
  readonly floors: {
    /**
     * Closeness (0.8 of the cosine and 0.2 of the question's words, 0 to 1) below which a memory does not answer the query
     * at all.
     */
    readonly relevance: number;
    /**
     * Closeness that the closest memory must have, or else nothing answers the query. A question about the asker, such as
     * `what do I …`, takes three quarters of it. Default: `relevance`.
     */
    readonly answer?: number | undefined;
  };
  readonly gates: {
    /** Cosine from which two texts may say the same thing. */
    readonly duplicate: number;
    /** Cosine from which two texts speak of related things. Absent: not known, and no newer fact is put before an older one. */
    readonly related?: number | undefined;
  };
  /**
   * Whether its vectors tell what a text means, as those of a model of English do for a text in English. Absent: of every text.
   * Where they do not, they find and rank still, but tell nothing of whether one text took the place of another.
   */
  readonly understands?: ((text: string) => boolean) | undefined;
  /**
   * One vector of length 1 for each text, in order. A text without any known word gives the zero vector, whose cosine
   * with everything is 0.
   *
   * @throws LociError `EMBEDDER_UNAVAILABLE` when its service does not answer
   */
  embed(
    texts: readonly string[],
    options: { readonly kind: EmbeddingKind; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
