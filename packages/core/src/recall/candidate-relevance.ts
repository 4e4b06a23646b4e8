import { Bm25 } from "@loci/domain";
import { relevance } from "../scoring/relevance.ts";
import type { RecallCandidate } from "./candidate.ts";
import { conversationStatistics } from "./conversation-statistics.ts";
import type { TurnPlace } from "./conversation-turns.ts";
import { passageFrequencies, turnFrequencies } from "./passages.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";
import type { RankingInput } from "./ranking-input.ts";

/** Of each candidate, in their order, the text share for every sub-query. They do not depend on what has been read. */
export type TextShares = readonly Float64Array[];

/**
 * The text shares of candidates: BM25 for a sub-query over the best BM25 any of the candidates has for it. For a turn of a
 * conversation `passageShare` of that is the passage's instead: BM25 of the words in the passage around the turn, as
 * long as the average text, over the best passage. How rare a word is, {@link conversationStatistics} tells.
 *
 * @param places of the candidates in their conversations
 */
export function textSharesOf(
  {
    candidates,
    subQueries,
    textStatistics,
    profile: { passageShare },
  }: Pick<RankingInput, "candidates" | "subQueries" | "textStatistics" | "profile">,
  places: readonly (TurnPlace | undefined)[],
): TextShares {
  const conversations = turnFrequencies(candidates, places);
  const ranking = new Bm25(conversationStatistics(textStatistics, candidates, places, conversations));
  const ownShares = bestShares(
    candidates.map(({ frequencies, length }) => scoresOf(ranking.termScores(frequencies, length), subQueries)),
  );
  if (passageShare === 0) return ownShares;
  const passageShares = bestShares(
    passageFrequencies(candidates, places, conversations).map((passage) =>
      passage === undefined ? undefined : scoresOf(ranking.termScores(passage, ranking.averageLength), subQueries),
    ),
  );
  return ownShares.map((own, index) => {
    const passage = passageShares[index];
    return passage === undefined
      ? own
      : own.map((share, query) => (1 - passageShare) * share + passageShare * (passage[query] ?? 0));
  });
}

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
  for (const [index, { cosines, mayLackVector }] of candidates.entries()) {
    const shares = textShares[index];
    for (let query = 0; query < subQueries.length; query++) {
      const text = shares?.[query] ?? 0;
      const known = relevance(cosines[query], text, relevanceWeight);
      const value = (subQueries[query]?.weight ?? 0) * (mayLackVector === true ? Math.max(known, text) : known);
      if (query > 0 && !(value > (answers.relevances[index] as number))) continue;
      answers.relevances[index] = value;
      answers.subQueries[index] = query;
    }
  }
  return answers;
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
function bestShares<Row extends Float64Array | undefined>(scores: readonly Row[]): readonly Row[] {
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
