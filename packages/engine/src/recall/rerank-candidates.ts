import { isPlainObject, LociError, type MemoryId } from "@loci/domain";
import type { RerankCandidate, Reranker } from "./reranker.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { withinTime } from "../calls/within-time.ts";

const defaultMaxCandidates = 50;

/** A reranker within its limits: a slow, broken or hostile one costs its opinion, never an answer. */
export class LimitedReranker {
  readonly maxCandidates: number;
  readonly #reranker: Reranker;
  readonly #timeLimit: number;

  /**
   * @param timeLimit in milliseconds, for each call
   * @throws LociError `INVALID_NUMBER`
   */
  constructor(reranker: Reranker, timeLimit: number) {
    this.#reranker = reranker;
    this.#timeLimit = timeLimit;
    this.maxCandidates = checkWholeNumber(reranker.maxCandidates ?? defaultMaxCandidates, "reranker.maxCandidates", {
      least: 1,
      most: 1_000,
    });
  }

  /**
   * What the reranker says of each candidate, or `undefined` when it failed, took too long or gave no proper answer.
   *
   * @throws LociError what `signal` was aborted with
   */
  async scores(
    query: string,
    candidates: readonly RerankCandidate[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<MemoryId, number> | undefined> {
    if (candidates.length === 0) return new Map();
    const answer = await withinTime(
      async (inner) => readScores(await this.#reranker.rerank(query, candidates, { signal: inner }), candidates),
      this.#timeLimit,
      signal,
    );
    return "value" in answer ? answer.value : undefined;
  }
}

function readScores(answer: unknown, candidates: readonly RerankCandidate[]): ReadonlyMap<MemoryId, number> {
  const asked = new Set<unknown>(candidates.map(({ id }) => id));
  const scores = new Map<MemoryId, number>();
  if (!Array.isArray(answer) || answer.length !== asked.size) throw badAnswer();
  for (const entry of answer as readonly unknown[]) {
    if (!isPlainObject(entry)) throw badAnswer();
    const { id, score } = entry;
    // A candidate that is scored leaves the set, so none is scored twice and none is left out.
    if (!asked.delete(id) || typeof score !== "number" || !(score >= 0 && score <= 1)) throw badAnswer();
    scores.set(id as MemoryId, score);
  }
  return scores;
}

function badAnswer(): LociError {
  return new LociError("INVALID_REQUEST", { message: "The reranker did not score each candidate once, from 0 to 1." });
}
