import { relevance } from "../scoring/relevance.ts";
import type { RecallCandidate } from "./candidate.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";
import type { TextShares } from "./text-shares.ts";

/** How well each candidate answers the prompt, in their order, and for which sub-query it does best. */
export interface Answers {
  readonly relevances: Float64Array;
  readonly subQueries: Uint8Array;
}

/**
 * The relevance of each candidate: the largest over the sub-queries of weight × relevance. Of equal sub-queries the first
 * counts.
 *
 * @param relevanceWeight weight of the cosine in relevance, 0 to 1
 */
export function answersOf(
  candidates: readonly RecallCandidate[],
  subQueries: readonly AnalysedSubQuery[],
  textShares: TextShares,
  relevanceWeight: number,
): Answers {
  const answers = { relevances: new Float64Array(candidates.length), subQueries: new Uint8Array(candidates.length) };
  for (let index = 0; index < candidates.length; index++) {
    const { cosines, mayLackVector } = candidates[index] as RecallCandidate;
    for (let query = 0; query < subQueries.length; query++) {
      const text = (textShares[query] as Float64Array)[index] as number;
      const known = relevance(cosines[query], text, relevanceWeight);
      const value = (subQueries[query]?.weight ?? 0) * (mayLackVector === true ? Math.max(known, text) : known);
      if (query > 0 && !(value > (answers.relevances[index] as number))) continue;
      answers.relevances[index] = value;
      answers.subQueries[index] = query;
    }
  }
  return answers;
}
