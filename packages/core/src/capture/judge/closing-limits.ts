import type { CaptureCandidate } from "@loci/domain";
import { toldToBeForgotten } from "../extract/told-to-be-forgotten.ts";

/** More closings than this wait for a review, */
const mostClosings = 10;
/** and so do more than a third of all that is known, unless they are as few as this. */
const fewClosings = 3;
/** What users ask to have forgotten is, up to so many in one capture. */
const mostForgotten = 50;

/**
 * What would close very much of what is known waits for somebody who looks at it, as it may have been misunderstood. What users ask
 * to have forgotten does not, up to 50 memories: behind that one sentence, perhaps pasted, would end all that is known. Who asks once
 * more has the next ones forgotten.
 *
 * @param known how many memories are known
 */
export function withinClosingLimits(
  candidates: readonly CaptureCandidate[],
  known: number,
): readonly CaptureCandidate[] {
  const { asked = [], other = [] } = Object.groupBy(candidates.filter(closesMemory), (candidate) =>
    isToldToBeForgotten(candidate) ? "asked" : "other",
  );
  const isFew = other.length <= fewClosings || (other.length <= mostClosings && 3 * other.length <= known);
  const held = new Set([...(isFew ? [] : other), ...asked.slice(mostForgotten)]);
  return candidates.map((candidate) => (held.has(candidate) ? { ...candidate, state: "quarantined" } : candidate));
}

function isToldToBeForgotten({ decision, evidence }: CaptureCandidate): boolean {
  return decision === "DELETE" && evidence.some(({ quote }) => toldToBeForgotten(quote) !== undefined);
}

/** Whether a memory ends by a candidate. */
export function closesMemory({ decision, state }: CaptureCandidate): boolean {
  return state === "active" && (decision === "UPDATE" || decision === "DELETE");
}
