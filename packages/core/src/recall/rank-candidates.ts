import {
  type DroppedCandidate,
  type DropReason,
  type MemoryId,
  type RecallHit,
  type Scope,
  sameScope,
  scopeDistance,
} from "@loci/domain";
import { cascadeOrder } from "../scoring/scope-cascade.ts";
import { compareScored, type ScoredCandidate } from "./candidate.ts";
import { type TextShares, textSharesOf } from "./candidate-relevance.ts";
import { compareDropped } from "./compare-dropped.ts";
import type { RankingInput } from "./ranking-input.ts";
import { applyScopeOverrides } from "./scope-overrides.ts";
import { isRelevant, scoreCandidates } from "./score-candidates.ts";
import { selectDiverse } from "./select-diverse.ts";
import { applyTokenLimits } from "./token-limits.ts";
import { unreadOf } from "./unread-candidates.ts";

export interface Ranking {
  /** Best first; ties by nearness of scope, then id. */
  readonly hits: readonly RecallHit[];
  /** Empty unless asked to explain; by reason in pipeline order, then score, then id. */
  readonly dropped: readonly DroppedCandidate[];
  /** Candidates without which it cannot be told: read them, and rank again. While there are any, there are no hits. */
  readonly unread: readonly MemoryId[];
}

/** So many candidates behind those that came up for a place are read along with them: they may come up next. */
const readAhead = 48;

/**
 * The heart of recall: scores candidates and chooses those worth showing.
 *
 * Relevance, its floor, the composite score with what neighbouring turns add, overrides by nearer scopes, diversity,
 * number and tokens, in this order. Depends on nothing but its input, and not on the order of the candidates.
 *
 * Candidates may be unread: known by upper bounds of their cosines, and so of their scores. Only those that would be given
 * a place with these have to be read, so that the hits are the same as if all had been.
 *
 * @param textShares of the candidates, when they are ranked again
 */
export function rankCandidates(input: RankingInput, textShares: TextShares = textSharesOf(input)): Ranking {
  const dropped: DroppedCandidate[] = [];
  const drop = (scored: ScoredCandidate, reason: DropReason, inFavourOf?: ScoredCandidate): void => {
    if (!input.explain) return;
    const { id, score, parts } = scored;
    dropped.push({ id, reason, ...(inFavourOf === undefined ? {} : { inFavourOf: inFavourOf.id }), score, parts });
  };

  const ranked: ScoredCandidate[] = [];
  for (const scored of scoreCandidates(input, textShares))
    if (isRelevant(scored)) ranked.push(scored);
    else if (input.explain) drop({ ...scored, foundBy: "relevance" }, "BELOW_RELEVANCE_FLOOR");
  ranked.sort(compareScored);

  const { kept: current, overridden } = applyScopeOverrides(ranked);
  for (const { dropped: loser, inFavourOf } of overridden) drop(loser, "OVERRIDDEN_BY_SCOPE", inFavourOf);

  const ordered = input.strategy === "cascade" ? orderForCascade(current, input.scopes) : current;
  const { duplicateGate } = input.embedder;
  const unread = unreadOf(input.candidates, input.profile.neighbourFactor > 0);
  const { kept, rejections, unread: wanted } = selectDiverse(ordered, { ...input.limits, duplicateGate }, unread);
  // A nearer scope's memory overrides others whatever it scores, if only it is above the floor.
  const overriding = ranked.filter(({ memory }) => memory.slot !== undefined).flatMap(({ id }) => unread(id));
  if (wanted.length > 0 || overriding.length > 0) {
    const next = ordered.slice(0, kept.length + readAhead).flatMap(({ id }) => unread(id));
    return { hits: [], dropped: [], unread: [...new Set([...wanted, ...overriding, ...next])] };
  }
  for (const { rejected, reason, inFavourOf } of rejections) drop(rejected, reason, inFavourOf);

  const best = kept.toSorted(compareScored);
  const { kept: measured, overTokens } = applyTokenLimits(best, input.limits, input.counter);
  for (const scored of overTokens) drop(scored, "OVER_TOKENS");
  return {
    hits: measured.map(({ memory, score, parts, text, tokens, truncated, foundBy }) => {
      return { memory, score, parts, text, tokens, truncated, foundBy };
    }),
    dropped: dropped.toSorted(compareDropped),
    unread: [],
  };
}

/** Scope by scope, nearest first; each scope's own best first. */
function orderForCascade(ranked: readonly ScoredCandidate[], scopes: readonly Scope[]): readonly ScoredCandidate[] {
  const nearestFirst = scopes.toSorted((left, right) => scopeDistance(left) - scopeDistance(right));
  return cascadeOrder(nearestFirst.map((scope) => ranked.filter(({ memory }) => sameScope(memory.scope, scope))));
}
