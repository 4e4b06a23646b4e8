import { Bm25, inverseDocumentFrequencies } from "@loci/domain";
import { conversationStatistics } from "./conversation-statistics.ts";
import type { TurnPlace } from "./conversation-turns.ts";
import { type NumberedName, weighNumberedNames } from "./numbered-names.ts";
import { countedTurns, passageFrequencies } from "./passages.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";
import type { RankingInput } from "./ranking-input.ts";

/** For each sub-query the text shares of all candidates, in their order. They do not depend on what has been read. */
export type TextShares = readonly Float64Array[];

/**
 * With an assistant a turn's own words make so much less of its text share. BM25 counts a turn of pages down for its length, the
 * passage around it does not. Chosen on RealMem and BEAM among 1 to 1/2; at 5/6 and 1/2 nothing moves by more than a point.
 */
const assistedOwnShare = 2 / 3;

/**
 * The text shares of candidates: BM25 for a sub-query over the best BM25 any of the candidates has for it. For a turn of a
 * conversation `passageShare` of that is the passage's instead: BM25 of the words in the passage around the turn, as
 * long as the average text, over the best passage; in a conversation with an assistant a third of the rest, too. How rare a word is, {@link conversationStatistics} tells.
 *
 * @param places of the candidates in their conversations
 * @param names among the question's terms
 */
export function textSharesOf(
  {
    candidates,
    subQueries,
    textStatistics,
    profile: { passageShare },
  }: Pick<RankingInput, "candidates" | "subQueries" | "textStatistics" | "profile">,
  places: readonly (TurnPlace | undefined)[],
  names: readonly NumberedName[],
): TextShares {
  const conversations = countedTurns(candidates, places);
  const statistics = conversationStatistics(textStatistics, candidates, places, conversations);
  const ranking = new Bm25(statistics, weighNumberedNames(inverseDocumentFrequencies(statistics), names));
  const shares = sharesOf(ranking, subQueries, candidates);
  if (passageShare === 0 || conversations.size === 0) return shares;
  const { averageLength } = ranking;
  const passages = passageFrequencies(candidates, places, conversations, averageLength).map((frequencies) =>
    frequencies === undefined ? undefined : { frequencies, length: averageLength },
  );
  const passageShares = sharesOf(ranking, subQueries, passages);
  for (const [query, own] of shares.entries())
    for (let index = 0; index < own.length; index++) {
      if (passages[index] === undefined) continue;
      const ownShare = (1 - passageShare) * (places[index]?.conversation.isAssisted === true ? assistedOwnShare : 1);
      own[index] = ownShare * (own[index] as number) + (1 - ownShare) * (passageShares[query]?.[index] as number);
    }
  return shares;
}

/** What BM25 is made of. */
interface CountedText {
  readonly frequencies: ArrayLike<number>;
  readonly length: number;
}

/** BM25 of texts for each sub-query, over the best of them; 0 where the best is 0, and for no text. */
function sharesOf(
  ranking: Bm25,
  subQueries: readonly AnalysedSubQuery[],
  texts: readonly (CountedText | undefined)[],
): TextShares {
  const shares = subQueries.map(() => new Float64Array(texts.length));
  const termScores = new Float64Array(ranking.inverseFrequencies.length);
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index];
    if (text === undefined) continue;
    ranking.termScores(text.frequencies, text.length, termScores);
    for (let query = 0; query < subQueries.length; query++) {
      const { terms } = subQueries[query] as AnalysedSubQuery;
      let score = 0;
      for (const term of terms) score += termScores[term] as number;
      (shares[query] as Float64Array)[index] = score;
    }
  }
  for (const scores of shares) {
    let best = 0;
    for (const score of scores) best = Math.max(best, score);
    if (best > 0) for (let index = 0; index < scores.length; index++) scores[index] = (scores[index] as number) / best;
  }
  return shares;
}
