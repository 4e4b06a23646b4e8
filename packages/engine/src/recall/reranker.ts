import type { MemoryId } from "@loci/domain";

/** A memory that may answer a question. */
export interface RerankCandidate {
  readonly id: MemoryId;
  readonly text: string;
}

/** How well a memory answers. */
export interface RerankScore {
  readonly id: MemoryId | string;
  /** 0 (not at all) to 1. */
  readonly score: number;
}

/**
 * Judges how well memories answer a question by reading both together, such as a cross-encoder. What it says becomes part
 * of relevance (`rerankShare` of a scoring profile); which memories may be recalled, and how many, is not for it to say.
 */
export interface Reranker {
  /** Most candidates it is asked about at once, the best by the score so far. 1 to 1,000. Default 50. */
  readonly maxCandidates?: number | undefined;
  /**
   * Scores each candidate once, in any order. An answer that leaves one out, scores one twice, scores another memory or
   * holds a number that is not from 0 to 1 is not used at all; nor is one that comes too late.
   *
   * @param query the whole question
   */
  rerank(
    query: string,
    candidates: readonly RerankCandidate[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly RerankScore[]>;
}
