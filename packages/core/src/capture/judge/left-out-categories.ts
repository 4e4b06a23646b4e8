import type { CaptureCandidate, CapturedCategory } from "@loci/domain";

/**
 * Candidates without what nobody wants kept: of categories that are left out nothing is written, and nothing is added to what is known.
 * What is over by them is over all the same: a memory whose place one would have taken ends, and one that is to be forgotten is.
 */
export function withoutCategories<Candidate extends CaptureCandidate>(
  candidates: readonly Candidate[],
  except: readonly CapturedCategory[],
): readonly Candidate[] {
  const isLeftOut = (category: string): boolean => except.some((each) => each === category);
  return candidates.map((candidate) => {
    const { category, state, decision } = candidate;
    if (state === "rejected" || decision === "DELETE" || !isLeftOut(category)) return candidate;
    const reason = "CATEGORY_LEFT_OUT" as const;
    if (state === "active" && decision === "UPDATE") return { ...candidate, decision: "DELETE", reason };
    return { ...candidate, state: "rejected", decision: null, target: null, reason };
  });
}
