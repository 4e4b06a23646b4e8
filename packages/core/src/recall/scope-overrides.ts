import { type MemoryId, type MemoryRecord, scopeDistance } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";

/** A value of a slot. */
export type SlotValue = Pick<MemoryRecord, "id" | "scope" | "slot" | "text">;

/** A candidate that gives way, and to which memory. */
export interface Overridden {
  readonly dropped: ScoredCandidate;
  readonly inFavourOf: MemoryId;
}

/**
 * Lets nearer scopes override farther ones: of two memories with the same slot and different texts the one of the farther
 * scope is dropped. Equally near ones stay both: which of them holds is not for a score to decide.
 *
 * @param ranked best first; what a slot is dropped for is the best candidate of its nearest scope with another text
 * @param unfound values of the same slots that the question did not find, the ones to be named first
 */
export function applyScopeOverrides(
  ranked: readonly ScoredCandidate[],
  unfound: readonly SlotValue[] = [],
): {
  readonly kept: readonly ScoredCandidate[];
  readonly overridden: readonly Overridden[];
} {
  const slots = new Map<string, SlotValue[]>();
  const note = (value: SlotValue): void => {
    if (value.slot === undefined) return;
    const nearest = slots.get(value.slot);
    const difference = nearest?.[0] === undefined ? -1 : distance(value) - distance(nearest[0]);
    if (difference < 0) slots.set(value.slot, [value]);
    else if (difference === 0) nearest?.push(value);
  };
  for (const { memory } of ranked) note(memory);
  if (slots.size === 0) return { kept: ranked, overridden: [] };
  for (const value of unfound) note(value);
  const kept: ScoredCandidate[] = [];
  const overridden: Overridden[] = [];
  for (const scored of ranked) {
    const { memory } = scored;
    const nearest = memory.slot === undefined ? undefined : slots.get(memory.slot);
    const winner = nearest?.find((other) => distance(other) < distance(memory) && other.text !== memory.text);
    if (winner === undefined) kept.push(scored);
    else overridden.push({ dropped: scored, inFavourOf: winner.id });
  }
  return { kept, overridden };
}

function distance({ scope }: SlotValue): number {
  return scopeDistance(scope);
}
