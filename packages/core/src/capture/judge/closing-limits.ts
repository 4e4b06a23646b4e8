import type { CaptureCandidate } from "@loci/domain";
import { toldToBeForgotten } from "../extract/told-to-be-forgotten.ts";

/** More closings than this wait for a review, */
const mostClosings = 10;
/** and so do more than a third of all that is known, unless they are as few as this. */
const fewClosings = 3;

/**
 * What would close very much of what is known waits for somebody who looks at it, as it may have been misunderstood. What users ask
 * to have forgotten does not.
 *
 * @param known how many memories are known
 */
export function withinClosingLimits(
  candidates: readonly CaptureCandidate[],
  known: number,
): readonly CaptureCandidate[] {
  const closings = candidates.filter(mayBeMisread).length;
  if (closings <= fewClosings || (closings <= mostClosings && 3 * closings <= known)) return candidates;
  return candidates.map((candidate) => (mayBeMisread(candidate) ? { ...candidate, state: "quarantined" } : candidate));
}

function mayBeMisread(candidate: CaptureCandidate): boolean {
  const isAsked = candidate.evidence.some(({ quote }) => toldToBeForgotten(quote) !== undefined);
  return closesMemory(candidate) && !(candidate.decision === "DELETE" && isAsked);
}

/** Whether a memory ends by a candidate. */
export function closesMemory({ decision, state }: CaptureCandidate): boolean {
  return state === "active" && (decision === "UPDATE" || decision === "DELETE");
}
