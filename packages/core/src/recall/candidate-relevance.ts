import { Bm25, type Bm25Statistics } from "@loci/domain";
import { relevance } from "../scoring/relevance.ts";
import type { RecallCandidate } from "./candidate.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";

/** How well a candidate answers the prompt, and what that is made of. */
export interface CandidateRelevance {
  readonly relevance: number;
  readonly cosine: number | undefined;
  readonly text: number;
}

/**
 * The relevance of each candidate, in their order: the largest over the sub-queries of weight × relevance. Its text
 * share is its BM25 for that sub-query over the best BM25 any of these candidates has for it. Of equal sub-queries the
 * first counts.
 */
export function relevanceOfCandidates(
  candidates: readonly RecallCandidate[],
  subQueries: readonly AnalysedSubQuery[],
  statistics: Bm25Statistics,
  relevanceWeight: number,
): readonly CandidateRelevance[] {
  const textScores = textScoresOf(candidates, subQueries, statistics);
  const best = subQueries.map((_, query) => textScores.reduce((most, scores) => Math.max(most, scores[query] ?? 0), 0));
  return candidates.map(({ cosines }, position) => {
    let found: CandidateRelevance = { relevance: 0, cosine: undefined, text: 0 };
    for (const [query, { weight }] of subQueries.entries()) {
      const cosine = cosines[query];
      const bestText = best[query] ?? 0;
      const text = bestText > 0 ? (textScores[position]?.[query] ?? 0) / bestText : 0;
      const value = weight * relevance(cosine, text, relevanceWeight);
      if (query === 0 || value > found.relevance) found = { relevance: value, cosine, text };
    }
    return found;
  });
}

/** BM25 of every candidate for every sub-query. */
function textScoresOf(
  candidates: readonly RecallCandidate[],
  subQueries: readonly AnalysedSubQuery[],
  statistics: Bm25Statistics,
): readonly Float64Array[] {
  const ranking = new Bm25(statistics);
  return candidates.map(({ frequencies, length }) => {
    const shares = ranking.termScores(frequencies, length);
    return Float64Array.from(subQueries, ({ terms }) => terms.reduce((sum, term) => sum + (shares[term] ?? 0), 0));
  });
}
