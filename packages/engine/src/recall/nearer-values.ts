import type { RecallCandidate, SlotValue } from "@loci/core";
import { isNonEmpty, scopeDistance } from "@loci/domain";
import type { CandidateSource } from "./candidate-source.ts";
import { dropReasonOf, type RecallConditions } from "./resolve-candidates.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** Most slots of one recall that are looked up. */
const mostSlots = 64;

/**
 * What nearer scopes say of the candidates' slots, whether the question finds it or not: nearest first, of one scope the
 * newest first. Nothing is read when no candidate with a slot is in a farther scope than another that was asked for.
 */
export async function nearerValues(
  source: CandidateSource,
  candidates: readonly RecallCandidate[],
  { scopes }: Pick<CheckedRecallRequest, "scopes">,
  conditions: RecallConditions,
): Promise<readonly SlotValue[]> {
  const nearest = Math.min(...scopes.map(scopeDistance));
  const slots = new Set<string>();
  for (const { memory } of candidates)
    if (memory.slot !== undefined && scopeDistance(memory.scope) > nearest && slots.size < mostSlots)
      slots.add(memory.slot);
  const wanted = [...slots];
  if (!isNonEmpty(wanted)) return [];
  const values = await source.slotValues(wanted);
  return values
    .filter((stored) => dropReasonOf(stored, conditions) === undefined)
    .map(({ memory }) => memory)
    .toSorted(
      (left, right) =>
        scopeDistance(left.scope) - scopeDistance(right.scope) ||
        right.createdAt - left.createdAt ||
        (left.id < right.id ? -1 : 1),
    );
}
