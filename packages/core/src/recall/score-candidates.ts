import type { MemoryId, ScoreParts } from "@loci/domain";
import { compositeScoreParts, scoreOfParts } from "../scoring/composite-score.ts";
import { askingFactor, askingShare } from "./asking-turns.ts";
import {
  type CandidateRelevance,
  relevanceOfCandidates,
  type TextShares,
  textSharesOf,
} from "./candidate-relevance.ts";
import { compareScored, type RecallCandidate, type ScoredCandidate } from "./candidate.ts";
import { closenessTo } from "./named-times.ts";
import { betterNeighbourScores } from "./neighbours.ts";
import type { RankingInput } from "./ranking-input.ts";
import { passesFloor, rareTerms } from "./relevance-floor.ts";

/** A candidate with its score; `foundBy` is `undefined` for one below the relevance floor. */
export type PossiblyRelevant = Omit<ScoredCandidate, "foundBy"> & {
  readonly foundBy: ScoredCandidate["foundBy"] | undefined;
};

export function isRelevant(scored: PossiblyRelevant): scored is ScoredCandidate {
  return scored.foundBy !== undefined;
}

/** Scores every candidate, those below the floor too: a turn that says little itself may have a neighbour that does. */
export function scoreCandidates(
  input: RankingInput,
  textShares: TextShares = textSharesOf(input),
): readonly PossiblyRelevant[] {
  const { candidates, subQueries, textStatistics, embedder, profile, queryTags, evaluationTime } = input;
  const relevances = relevanceOfCandidates(candidates, subQueries, textShares, embedder.relevanceWeight);
  const rare = rareTerms(textStatistics);
  const lowestRerank = input.reranked === undefined ? 0 : Math.min(1, ...input.reranked.values());
  const own = candidates.map((candidate, index) => {
    const { memory, lastRecalledAt } = candidate;
    const answer = relevances[index] ?? { relevance: 0, cosine: undefined, text: 0 };
    // Whether it answers at all is not for its time, its speaker, its questions or the reranker to say.
    const foundBy = passesFloor(candidate, answer.relevance, embedder.relevanceFloor, rare);
    const asking = askingShare(memory);
    const { relevance, ...measured } = adjustedRelevance(input, candidate, answer, asking, lowestRerank);
    const factors = compositeScoreParts({ memory, relevance, lastRecalledAt, queryTags }, profile, evaluationTime);
    return { candidate, memory, asking, measured, factors, foundBy, score: scoreOfParts(factors, profile) };
  });
  const neighbourScores = betterNeighbourScores(own);
  return own.map(({ candidate, memory, measured, factors: ownFactors, foundBy }, index) => {
    const neighbours = profile.neighbourFactor * (neighbourScores[index] ?? 0);
    const { relevance, ...factors } = ownFactors;
    const parts = { relevance, ...measured, ...factors, neighbours };
    return { id: memory.id, candidate, memory, parts, foundBy, score: scoreOfParts(parts, profile) };
  });
}

/** The best candidates that may be recalled at all, best first: what a reranker is asked about. */
export function rerankable(
  input: RankingInput,
  most: number,
): readonly { readonly id: MemoryId; readonly text: string }[] {
  return scoreCandidates(input)
    .filter(isRelevant)
    .toSorted(compareScored)
    .slice(0, most)
    .map(({ id, memory }) => ({ id, text: memory.text }));
}

/** Relevance with what the question's time, the named speaker, what the turn asks itself and the reranker make of it. */
function adjustedRelevance(
  { profile, namedTimes, namedSpeakers, reranked }: RankingInput,
  { memory }: RecallCandidate,
  { relevance: answer, cosine, text }: CandidateRelevance,
  share: number,
  lowestRerank: number,
): Pick<ScoreParts, "relevance" | "cosine" | "text" | "time" | "speaker" | "asking" | "rerank"> {
  const time = namedTimes.length === 0 ? undefined : closenessTo(namedTimes, memory.createdAt);
  const isNamed = memory.provenance?.speaker !== undefined && namedSpeakers.has(memory.provenance.speaker);
  const speaker = isNamed ? 1 + profile.speakerBoost : undefined;
  const asking = share > 0 ? askingFactor(share) : undefined;
  const rerank = reranked === undefined ? undefined : (reranked.get(memory.id) ?? lowestRerank);
  let relevance = time === undefined ? answer : (1 - profile.timeShare) * answer + profile.timeShare * time;
  if (speaker !== undefined) relevance *= speaker;
  if (asking !== undefined) relevance *= asking;
  if (rerank !== undefined) relevance = (1 - profile.rerankShare) * relevance + profile.rerankShare * rerank;
  return {
    relevance,
    ...(cosine === undefined ? {} : { cosine }),
    text,
    ...(time === undefined ? {} : { time }),
    ...(speaker === undefined ? {} : { speaker }),
    ...(asking === undefined ? {} : { asking }),
    ...(rerank === undefined ? {} : { rerank }),
  };
}
