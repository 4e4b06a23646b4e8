import type { Bm25Statistics } from "@loci/domain";
import { relevance } from "../scoring/relevance.ts";
import type { RecallCandidate } from "./candidate.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";
import type { RankingInput } from "./ranking-input.ts";

/** Share of all texts up to which a term is rare. */
const rareShare = 0.001;
/** So many texts may hold a rare term however few there are. */
const leastRareDocuments = 2;
/** Rare terms that carry so much of the question are what it asks for. */
const leastRareCoverage = 0.5;

/**
 * Weight of the cosine in closeness. Which of several memories is best, words tell about as well as meaning; whether any
 * answers at all, they hardly do: every question shares some word with some memory.
 */
const meaningShare = 0.8;

/** How many facts the store had on which the floors of embedders are set. */
const calibratedAmong = 100;

type AnswerFloors = Pick<RankingInput["embedder"], "relevanceFloor" | "answerFloor" | "answerFloorGrows">;

/**
 * How close the closest of so many candidates must come for the question to be answered. The more there are, the closer the closest of
 * them comes by chance: it grows with the logarithm of their number, as the largest of many values does. So among
 * fewer than 100 the answer floor falls to the relevance floor, where there is but one. From 100 on it holds, or grows on where that is
 * said.
 *
 * Measured on random handfuls of 2 to 100 of the 100 facts: 83 to 95% of off-topic questions stay below it, whatever the number.
 */
export function answerFloorAmong(
  candidates: number,
  { relevanceFloor, answerFloor, answerFloorGrows = false }: AnswerFloors,
): number {
  const grown = Math.log(Math.max(1, candidates)) / Math.log(calibratedAmong);
  const share = answerFloorGrows ? grown : Math.min(1, grown);
  return relevanceFloor + share * (answerFloor - relevanceFloor);
}

/**
 * How close a memory comes to the question on a scale that does not depend on the other memories, as the relevance that
 * ranks them does: 0.8 of the cosine and 0.2 of the {@link coverages}, the best of the sub-queries. Without a vector the
 * coverage alone.
 *
 * @param coverages of the candidates
 * @param index of the memory among them
 */
export function closenessOf(
  { cosines, mayLackVector }: Pick<RecallCandidate, "cosines" | "mayLackVector">,
  subQueries: readonly AnalysedSubQuery[],
  coverages: Coverages,
  index: number,
): number {
  let closest = 0;
  for (let query = 0; query < subQueries.length; query++) {
    const { weight } = subQueries[query] as AnalysedSubQuery;
    const coverage = (coverages[query] as Float64Array)[index] as number;
    const known = relevance(cosines[query], coverage, meaningShare);
    closest = Math.max(closest, weight * (mayLackVector === true ? Math.max(known, coverage) : known));
  }
  return closest;
}

/** For each sub-query the coverages of all candidates, in their order. */
export type Coverages = readonly Float64Array[];

/**
 * For each sub-query and candidate the share of the question's words that stand in it, 0 to 1, each word weighing what its
 * rarity says (its inverse document frequency). A word that no memory has weighs most.
 *
 * @param weights of the union's terms
 */
export function coverages(
  candidates: readonly Pick<RecallCandidate, "frequencies">[],
  subQueries: readonly AnalysedSubQuery[],
  weights: ArrayLike<number>,
): Coverages {
  return subQueries.map(({ terms }) => {
    const total = terms.reduce((sum, term) => sum + (weights[term] as number), 0);
    const shares = new Float64Array(candidates.length);
    for (let index = 0; index < candidates.length; index++) {
      const { frequencies } = candidates[index] as Pick<RecallCandidate, "frequencies">;
      let held = 0;
      for (const term of terms) if ((frequencies[term] ?? 0) > 0) held += weights[term] as number;
      if (held > 0) shares[index] = held / total;
    }
    return shares;
  });
}

/**
 * Which terms of the union are rare, as indexes into it: in at most max(2, 0.1%) of the documents. Whoever asks for a
 * rare word, such as a name or a ticket, means the memories that hold it.
 */
export function rareTerms({ documents, documentFrequencies }: Bm25Statistics): readonly number[] {
  const most = Math.max(leastRareDocuments, documents * rareShare);
  return [...documentFrequencies.keys()].filter((term) => (documentFrequencies[term] as number) <= most);
}

/**
 * How a candidate gets past the relevance floor whatever its closeness: by rare terms, else by a tag, else not at all
 * (`undefined`). In a small store nearly every word is rare, so rare terms count only where they are much of the question.
 *
 * @param coverage of the whole prompt by this candidate, 0 to 1
 */
export function wayPastFloor(
  { frequencies, foundByTag }: RecallCandidate,
  rare: readonly number[],
  coverage: number,
): "relevance" | "tag" | undefined {
  if (coverage >= leastRareCoverage && rare.some((term) => (frequencies[term] ?? 0) > 0)) return "relevance";
  return foundByTag === true ? "tag" : undefined;
}
