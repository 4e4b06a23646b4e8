import {
  type DroppedCandidate,
  type DropReason,
  inverseDocumentFrequencies,
  type MemoryId,
  memoryView,
  type RecallHit,
  type Scope,
  sameScope,
  scopeDistance,
} from "@loci/domain";
import { cascadeOrder } from "../scoring/scope-cascade.ts";
import { compareScored, hasVector, type ScoredCandidate } from "./candidate.ts";
import { compareDropped } from "./compare-dropped.ts";
import type { PassageQuestion } from "./found-passage.ts";
import { newerBeforeOlder, newerFirst, newestOf } from "./newer-first.ts";
import { type PreparedCandidates, prepareCandidates } from "./prepare-candidates.ts";
import type { RankingInput } from "./ranking-input.ts";
import { saidAlready } from "./said-already.ts";
import { applyScopeOverrides } from "./scope-overrides.ts";
import { CandidateScores } from "./score-candidates.ts";
import { selectDiverse } from "./select-diverse.ts";
import { allSteps, stepLength, type Steps } from "./steps.ts";
import { isAskedApart, latestOf, successions } from "./successions.ts";
import { talksInTurn } from "./talks-in-turn.ts";
import { tokenLimitSteps } from "./token-limits.ts";
import { unreadOf } from "./unread-candidates.ts";

export interface Ranking {
  /**
   * Best first; ties by nearness of scope, then id. Those that contradict or may replace each other have the newest first among
   * them, and the best of those that a question for the latest may mean has the newer ones right before it. For a question for a
   * course turns are of each talk in turn.
   */
  readonly hits: readonly RecallHit[];
  /** Empty unless asked to explain; by reason in pipeline order, then score, then id. */
  readonly dropped: readonly DroppedCandidate[];
  /** How many relevant ones had no place among so many. Only when asked for. */
  readonly overLimit?: number;
  /** How many had a place, and no room among so many tokens. Only when asked for. */
  readonly overTokens?: number;
  /** Candidates without which it cannot be told: read them, and rank again. While there are any, there are no hits. */
  readonly unread: readonly MemoryId[];
}

const ofPlaces: ReadonlySet<DropReason> = new Set(["OVER_LIMIT", "CATEGORY_SHARE"]);

/** So many candidates behind those that came up for a place are read along with them: they may come up next. */
const readAhead = 32;

/**
 * The heart of recall: scores candidates and chooses those worth showing.
 *
 * Relevance, its floor, the composite score with what neighbouring turns add, overrides by nearer scopes, what the model is
 * told anyway, diversity, number and tokens, in this order. Depends on nothing but its input, and not on the order of the candidates.
 *
 * Candidates may be unread: known by upper bounds of their cosines, and so of their scores. Only those that would be given
 * a place with these have to be read, so that the hits are the same as if all had been.
 *
 * @param prepared of the same candidates in the same order, when they are ranked again
 */
export function rankCandidates(input: RankingInput, prepared?: PreparedCandidates): Ranking {
  return allSteps(rankingSteps(input, prepared));
}

/** The same, a long text at a time. */
export function* rankingSteps(
  input: RankingInput,
  prepared: PreparedCandidates = prepareCandidates(input),
): Steps<Ranking> {
  const scores = new CandidateScores(input, prepared);
  const dropped: DroppedCandidate[] = [];
  let overLimit = 0;
  const drop = (scored: ScoredCandidate, reason: DropReason, inFavourOf?: MemoryId): void => {
    if (ofPlaces.has(reason)) overLimit++;
    if (!input.explain) return;
    const { id, score } = scored;
    const parts = scores.partsOf(scored);
    const told =
      reason === "BELOW_RELEVANCE_FLOOR" ? { closeness: scores.closenessOf(scored), floor: scores.floor } : {};
    dropped.push({ id, reason, ...(inFavourOf === undefined ? {} : { inFavourOf }), score, parts, ...told });
  };

  const ranked = scores.relevant();
  if (input.explain) for (const scored of scores.belowFloor(ranked)) drop(scored, "BELOW_RELEVANCE_FLOOR");
  const undecided = scores.undecided(readAhead);

  const { kept: current, overridden } = applyScopeOverrides(ranked, input.slotValues);
  for (const { dropped: loser, inFavourOf } of overridden) drop(loser, "OVERRIDDEN_BY_SCOPE", inFavourOf);

  const telling: ScoredCandidate[] = [];
  for (const scored of current) {
    if (scored.memory.text.length > stepLength) yield;
    const reason = input.told && saidAlready(scored.memory, input.told);
    if (reason === undefined) telling.push(scored);
    else drop(scored, reason);
  }
  const inTurn = input.isForCourse === true ? talksInTurn : asTheyAre;
  const ordered = newerFirst(input.strategy === "cascade" ? orderForCascade(telling, input.scopes) : inTurn(telling));
  const { duplicateGate } = input.embedder;
  const unread = unreadOf(input.candidates, prepared.places, input.profile.neighbourFactor > 0);
  const limits = { ...input.limits, duplicateGate };
  const { kept, contradictions, unread: wanted } = yield* selectDiverse(ordered, limits, unread, drop);
  // A nearer scope's candidate overrides others whatever it scores, if only it is above the floor.
  const overriding = ranked.filter(({ memory }) => memory.slot !== undefined).flatMap(({ index }) => unread(index));
  if (wanted.length > 0 || overriding.length > 0 || undecided.length > 0) {
    const next = ordered.slice(0, kept.length + readAhead).flatMap(({ index }) => unread(index));
    return {
      hits: [],
      dropped: [],
      unread: [...new Set([...undecided, ...wanted, ...overriding, ...next])],
    };
  }

  const closenessOf = (scored: ScoredCandidate): number => scores.closenessOf(scored);
  const { namingTerms: names = [], embedder } = input;
  const { relatedGate, understands } = embedder;
  const signs = { relatedGate, understands, names, analyser: input.question?.analyser };
  const { pairs, areEvents } = successions(kept, closenessOf, signs);
  const replaced = [...contradictions.filter((pair) => !isAskedApart(pair)), ...pairs];
  const replacedFirst = newerBeforeOlder(newerFirst(inTurn(kept.toSorted(compareScored))), replaced);
  const best =
    input.isForLatest === true
      ? newerFirst(newestOf(replacedFirst, latestOf(kept, closenessOf, { relatedGate, areEvents })))
      : replacedFirst;
  const { counter, counted } = input;
  const measure = { counter, counted, question: passageQuestion(input) };
  const { kept: measured, overTokens } = yield* tokenLimitSteps(best, input.limits, measure);
  for (const scored of overTokens) drop(scored, "OVER_TOKENS");
  return {
    hits: measured.map((hit) => {
      const { score, text, tokens, truncated, foundBy } = hit;
      return {
        memory: memoryView(hit.candidate, hasVector(hit.candidate)),
        score,
        parts: scores.partsOf(hit),
        text,
        tokens,
        truncated,
        foundBy,
      };
    }),
    dropped: dropped.toSorted(compareDropped),
    ...(input.countsLeftOut === true ? { overLimit, overTokens: overTokens.length } : {}),
    unread: [],
  };
}

function passageQuestion({ question, textStatistics }: RankingInput): PassageQuestion | undefined {
  return question && { ...question, weights: inverseDocumentFrequencies(textStatistics) };
}

function asTheyAre(ordered: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
  return ordered;
}

/** Scope by scope, nearest first; each scope's own best first. */
function orderForCascade(ranked: readonly ScoredCandidate[], scopes: readonly Scope[]): readonly ScoredCandidate[] {
  const nearestFirst = scopes.toSorted((left, right) => scopeDistance(left) - scopeDistance(right));
  return cascadeOrder(nearestFirst.map((scope) => ranked.filter(({ memory }) => sameScope(memory.scope, scope))));
}
