import { scopeDistance } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";

/** A candidate that gives way, and to which other one. */
export interface Overridden {
  readonly dropped: ScoredCandidate;
  readonly inFavourOf: ScoredCandidate;
}

/**
 * Lets nearer scopes override farther ones: of two candidates with the same slot and different texts the one of the
 * farther scope is dropped. Equally near ones stay both: which of them holds is not for a score to decide.
 *
 * @param ranked best first; what a slot is dropped for is the best candidate of its nearest scope with another text
 */
export function applyScopeOverrides(ranked: readonly ScoredCandidate[]): {
  readonly kept: readonly ScoredCandidate[];
  readonly overridden: readonly Overridden[];
} {
  const slots = new Map<string, ScoredCandidate[]>();
  for (const scored of ranked) {
    const { slot } = scored.memory;
    if (slot === undefined) continue;
    const nearest = slots.get(slot);
    const difference = nearest?.[0] === undefined ? -1 : distance(scored) - distance(nearest[0]);
    if (difference < 0) slots.set(slot, [scored]);
    else if (difference === 0) nearest?.push(scored);
  }
  if (slots.size === 0) return { kept: ranked, overridden: [] };
  const kept: ScoredCandidate[] = [];
  const overridden: Overridden[] = [];
  for (const scored of ranked) {
    const nearest = scored.memory.slot === undefined ? undefined : slots.get(scored.memory.slot);
    const winner = nearest?.find(
      (other) => distance(other) < distance(scored) && other.memory.text !== scored.memory.text,
    );
    if (winner === undefined) kept.push(scored);
    else overridden.push({ dropped: scored, inFavourOf: winner });
  }
  return { kept, overridden };
}

function distance({ memory }: ScoredCandidate): number {
  return scopeDistance(memory.scope);
}
