import { cosineOfUnitVectors } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";
import { isConversationTurn } from "./conversation-turns.ts";
import { type Contradiction, heldSince } from "./newer-first.ts";

/** A longer text says more than one thing, so that a later one does not take its place. In UTF-16 units. */
const longestFact = 300;

/** A newer fact must come so close to the question, as a share of how close the older one comes. */
const succeedingShare = 0.6;

/** A question for the latest is answered by one of so many that come closest to it, */
const latestAmong = 4;
/** and by one that comes so close, as a share of the closest. */
const latestShare = 1 / 3;

/** How close a candidate comes to the question, 0 to 1. */
export type ClosenessOf = (candidate: ScoredCandidate) => number;

/**
 * Pairs of short facts of which the newer may have taken the place of the older: they speak of related things, and both
 * answer the question. `I live in Utrecht`, `I've moved to Groningen`. Turns of a conversation tell what happened; a later
 * one does not undo them. Chosen on pairs of replaced facts, and checked to cost nothing where facts only look alike. A
 * question that names what only one of them holds, `crate 7` or `Utrecht`, asks for that one.
 *
 * @param kept that have been read
 * @param relatedGate cosine from which two texts speak of related things. `undefined`: the embedder does not say, and no
 *   fact takes another's place
 * @param names of the union's terms those that the question names something by, as {@link namingTerms} tells
 */
export function successions(
  kept: readonly ScoredCandidate[],
  closenessOf: ClosenessOf,
  relatedGate: number | undefined,
  names: readonly number[],
): readonly Contradiction[] {
  if (relatedGate === undefined) return [];
  const facts = kept.filter(({ memory }) => memory.text.length <= longestFact && !isConversationTurn(memory));
  return facts.flatMap((left, index) =>
    facts.slice(index + 1).flatMap((right): readonly Contradiction[] => {
      const [older, newer] = heldSince(left.memory) <= heldSince(right.memory) ? [left, right] : [right, left];
      const answers = closenessOf(newer) >= succeedingShare * closenessOf(older);
      const replaces = answers && !isToldApart(older, newer, names) && isRelated(older, newer, relatedGate);
      return replaces ? [[older, newer]] : [];
    }),
  );
}

/** Whether the question itself tells two that contradict each other apart: by a word that only one of them holds. */
export function isAskedApart([left, right]: Contradiction): boolean {
  return isToldApart(left, right, [...Array(left.candidate.frequencies.length).keys()]);
}

/** Whether one of two memories holds one of the terms that the other one does not. */
function isToldApart(
  { candidate: one }: ScoredCandidate,
  { candidate: other }: ScoredCandidate,
  terms: readonly number[],
): boolean {
  return terms.some((term) => (one.frequencies[term] ?? 0) > 0 !== (other.frequencies[term] ?? 0) > 0);
}

/**
 * The hits among which a question for the latest means the newest, as pairs: the four that come closest to it, if they come at
 * least a third as close as the closest.
 */
export function latestOf(kept: readonly ScoredCandidate[], closenessOf: ClosenessOf): readonly Contradiction[] {
  const closest = kept.toSorted((left, right) => closenessOf(right) - closenessOf(left)).slice(0, latestAmong);
  const [first, ...others] = closest;
  if (first === undefined) return [];
  const least = latestShare * closenessOf(first);
  return others.filter((other) => closenessOf(other) >= least).map((other) => [first, other]);
}

function isRelated(left: ScoredCandidate, right: ScoredCandidate, gate: number): boolean {
  const [one, other] = [left.candidate.vectors?.[0], right.candidate.vectors?.[0]];
  return one !== undefined && other !== undefined && cosineOfUnitVectors(one, other) >= gate;
}
