import { Bm25, type Bm25Statistics } from "@loci/domain";
import { relevance } from "../scoring/relevance.ts";
import type { RecallCandidate } from "./candidate.ts";
import { passageFrequencies } from "./passages.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";

/** How well a candidate answers the prompt, and what that is made of. */
export interface CandidateRelevance {
  readonly relevance: number;
  readonly cosine: number | undefined;
  readonly text: number;
}

/** How relevance is mixed. */
export interface RelevanceShares {
  /** Weight of the cosine in relevance, 0 to 1. */
  readonly relevanceWeight: number;
  /** How much of a conversation turn's text share is that of the passage around it, 0 to 1. */
  readonly passageShare: number;
}

/**
 * The relevance of each candidate, in their order: the largest over the sub-queries of weight × relevance. Of equal
 * sub-queries the first counts.
 *
 * Its text share is its BM25 for that sub-query over the best BM25 any of these candidates has for it. For a turn of a
 * conversation `passageShare` of that is the passage's instead: BM25 of the words in the passage around the turn, as
 * long as the average text, over the best passage.
 */
export function relevanceOfCandidates(
  candidates: readonly RecallCandidate[],
  subQueries: readonly AnalysedSubQuery[],
  statistics: Bm25Statistics,
  { relevanceWeight, passageShare }: RelevanceShares,
): readonly CandidateRelevance[] {
  const ranking = new Bm25(statistics);
  const ownShares = bestShares(
    candidates.map(({ frequencies, length }) => scoresOf(ranking.termScores(frequencies, length), subQueries)),
  );
  const averageLength = statistics.documents === 0 ? 1 : statistics.totalLength / statistics.documents;
  const passages = passageShare === 0 ? [] : passageFrequencies(candidates);
  const passageShares = bestShares(
    passages.map((passage) =>
      passage === undefined ? undefined : scoresOf(ranking.termScores(passage, averageLength), subQueries),
    ),
  );
  return candidates.map(({ cosines, isUnread }, index) => {
    const own = ownShares[index];
    const passage = passageShares[index];
    let found: CandidateRelevance = { relevance: 0, cosine: undefined, text: 0 };
    for (const [query, { weight }] of subQueries.entries()) {
      const cosine = cosines[query];
      const ownText = own?.[query] ?? 0;
      const text =
        passage === undefined ? ownText : (1 - passageShare) * ownText + passageShare * (passage[query] ?? 0);
      const known = relevance(cosine, text, relevanceWeight);
      // An unread candidate may turn out to have no vector, and then its words alone count.
      const value = weight * (isUnread === true ? Math.max(known, text) : known);
      if (query === 0 || value > found.relevance) found = { relevance: value, cosine, text };
    }
    return found;
  });
}

/** BM25 for every sub-query. */
function scoresOf(termScores: Float64Array, subQueries: readonly AnalysedSubQuery[]): Float64Array {
  const scores = new Float64Array(subQueries.length);
  for (let query = 0; query < scores.length; query++) {
    const { terms } = subQueries[query] as AnalysedSubQuery;
    let sum = 0;
    for (const term of terms) sum += termScores[term] as number;
    scores[query] = sum;
  }
  return scores;
}

/** Makes each score a share of the best one for the same sub-query, in place; 0 where the best is 0. */
function bestShares(scores: readonly (Float64Array | undefined)[]): readonly (Float64Array | undefined)[] {
  const best: number[] = [];
  for (const row of scores)
    if (row !== undefined)
      for (let query = 0; query < row.length; query++) best[query] = Math.max(best[query] ?? 0, row[query] as number);
  for (const row of scores)
    if (row !== undefined)
      for (let query = 0; query < row.length; query++)
        if ((row[query] as number) > 0) row[query] = (row[query] as number) / (best[query] as number);
  return scores;
}
