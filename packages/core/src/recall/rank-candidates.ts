import {
  type Bm25Statistics,
  type DroppedCandidate,
  type DropReason,
  type Instant,
  type NonEmpty,
  type RecallHit,
  type Scope,
  sameScope,
  scopeDistance,
  type ScoringProfile,
} from "@loci/domain";
import { compositeScoreParts, scoreOfParts } from "../scoring/composite-score.ts";
import { cascadeOrder } from "../scoring/scope-cascade.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { relevanceOfCandidates } from "./candidate-relevance.ts";
import { compareScored, type RecallCandidate, type ScoredCandidate } from "./candidate.ts";
import { compareDropped } from "./compare-dropped.ts";
import { closenessTo, type TimeSpan } from "./named-times.ts";
import { betterNeighbourScores } from "./neighbours.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";
import { passesFloor, rareTerms } from "./relevance-floor.ts";
import { applyScopeOverrides } from "./scope-overrides.ts";
import { selectDiverse } from "./select-diverse.ts";
import { applyTokenLimits } from "./token-limits.ts";

/** Everything a ranking depends on. */
export interface RankingInput {
  /** Each memory once, in any order. */
  readonly candidates: readonly RecallCandidate[];
  readonly subQueries: readonly AnalysedSubQuery[];
  /** Of the union of the sub-queries' terms, over everything the tenant can find. */
  readonly textStatistics: Bm25Statistics;
  /** What the embedder declares of itself. */
  readonly embedder: {
    /** Weight of the cosine in relevance, 0 to 1. */
    readonly relevanceWeight: number;
    readonly relevanceFloor: number;
    readonly duplicateGate: number;
  };
  readonly profile: ScoringProfile;
  /** Tags that the question names, as `queryTags` gives them. */
  readonly queryTags: ReadonlySet<string>;
  /** Times that the question names, as `namedTimes` gives them. */
  readonly namedTimes: readonly TimeSpan[];
  readonly evaluationTime: Instant;
  /** As asked for. A cascade takes the nearer kind first, scopes of one kind in this order. */
  readonly scopes: NonEmpty<Scope>;
  readonly strategy: "union" | "cascade";
  readonly limits: RankingLimits;
  readonly counter: TokenCounter;
  /** Also return what was dropped. */
  readonly explain: boolean;
}

export interface RankingLimits {
  /** Most memories that are not procedures. */
  readonly limit: number;
  readonly procedureLimit: number;
  /** Most tokens of all texts together. */
  readonly maxTokens: number;
  readonly maxTokensPerMemory: number;
}

export interface Ranking {
  /** Best first; ties by nearness of scope, then id. */
  readonly hits: readonly RecallHit[];
  /** Empty unless asked to explain; by reason in pipeline order, then score, then id. */
  readonly dropped: readonly DroppedCandidate[];
}

/**
 * The heart of recall: scores candidates and chooses those worth showing.
 *
 * Relevance, its floor, the composite score with what neighbouring turns add, overrides by nearer scopes, diversity,
 * number and tokens, in this order. Depends on nothing but its input, and not on the order of the candidates.
 */
export function rankCandidates(input: RankingInput): Ranking {
  const dropped: DroppedCandidate[] = [];
  const drop = (scored: ScoredCandidate, reason: DropReason, inFavourOf?: ScoredCandidate): void => {
    if (!input.explain) return;
    const { id, score, parts } = scored;
    dropped.push({ id, reason, ...(inFavourOf === undefined ? {} : { inFavourOf: inFavourOf.id }), score, parts });
  };

  const ranked: ScoredCandidate[] = [];
  for (const { foundBy, ...scored } of scoreCandidates(input))
    if (foundBy === undefined) drop({ ...scored, foundBy: "relevance" }, "BELOW_RELEVANCE_FLOOR");
    else ranked.push({ ...scored, foundBy });
  ranked.sort(compareScored);

  const { kept: current, overridden } = applyScopeOverrides(ranked);
  for (const { dropped: loser, inFavourOf } of overridden) drop(loser, "OVERRIDDEN_BY_SCOPE", inFavourOf);

  const ordered = input.strategy === "cascade" ? orderForCascade(current, input.scopes) : current;
  const { duplicateGate } = input.embedder;
  const { kept, rejections } = selectDiverse(ordered, { ...input.limits, duplicateGate });
  for (const { rejected, reason, inFavourOf } of rejections) drop(rejected, reason, inFavourOf);

  const best = kept.toSorted(compareScored);
  const { kept: measured, overTokens } = applyTokenLimits(best, input.limits, input.counter);
  for (const scored of overTokens) drop(scored, "OVER_TOKENS");
  return {
    hits: measured.map(({ memory, score, parts, text, tokens, truncated, foundBy }) => {
      return { memory, score, parts, text, tokens, truncated, foundBy };
    }),
    dropped: dropped.toSorted(compareDropped),
  };
}

type PossiblyRelevant = Omit<ScoredCandidate, "foundBy"> & { readonly foundBy: ScoredCandidate["foundBy"] | undefined };

/** Scores every candidate, those below the floor too: a turn that says little itself may have a neighbour that does. */
function scoreCandidates(input: RankingInput): readonly PossiblyRelevant[] {
  const { candidates, subQueries, textStatistics, embedder, profile, queryTags, namedTimes, evaluationTime } = input;
  const { relevanceWeight } = embedder;
  const { passageShare } = profile;
  const shares = { relevanceWeight, passageShare };
  const relevances = relevanceOfCandidates(candidates, subQueries, textStatistics, shares);
  const rare = rareTerms(textStatistics);
  const own = candidates.map((candidate, index) => {
    const { memory, lastRecalledAt } = candidate;
    const { relevance: answer = 0, cosine, text = 0 } = relevances[index] ?? {};
    const time = namedTimes.length === 0 ? undefined : closenessTo(namedTimes, memory.createdAt);
    // Whether it answers at all is not for its time to say.
    const foundBy = passesFloor(candidate, answer, embedder.relevanceFloor, rare);
    const relevance = time === undefined ? answer : (1 - profile.timeShare) * answer + profile.timeShare * time;
    const factors = compositeScoreParts({ memory, relevance, lastRecalledAt, queryTags }, profile, evaluationTime);
    const measured = { cosine, text, time };
    return { candidate, memory, measured, factors, foundBy, score: scoreOfParts(factors, profile) };
  });
  const neighbourScores = betterNeighbourScores(own);
  return own.map(({ candidate, memory, measured, factors: ownFactors, foundBy }, index) => {
    const neighbours = profile.neighbourFactor * (neighbourScores[index] ?? 0);
    const { relevance, ...factors } = ownFactors;
    const { cosine, text, time } = measured;
    const parts = {
      relevance,
      ...(cosine === undefined ? {} : { cosine }),
      text,
      ...(time === undefined ? {} : { time }),
      ...factors,
      neighbours,
    };
    return { id: memory.id, candidate, memory, parts, foundBy, score: scoreOfParts(parts, profile) };
  });
}

/** Scope by scope, nearest first; each scope's own best first. */
function orderForCascade(ranked: readonly ScoredCandidate[], scopes: readonly Scope[]): readonly ScoredCandidate[] {
  const nearestFirst = scopes.toSorted((left, right) => scopeDistance(left) - scopeDistance(right));
  return cascadeOrder(nearestFirst.map((scope) => ranked.filter(({ memory }) => sameScope(memory.scope, scope))));
}
