import type { DroppedCandidate, DropReason } from "@loci/domain";
import { compareIds } from "../scoring/compare-ids.ts";

/** Where in the pipeline a candidate is dropped for each reason. */
const pipelineOrder: Readonly<Record<DropReason, number>> = {
  DELETED: 0,
  NOT_ACTIVE: 1,
  SUPERSEDED: 2,
  EXPIRED: 3,
  NOT_VALID_THEN: 4,
  BELOW_RELEVANCE_FLOOR: 5,
  OVERRIDDEN_BY_SCOPE: 6,
  IN_HISTORY: 7,
  REPEATS_QUERY: 8,
  NO_ANSWER: 9,
  NEAR_DUPLICATE: 10,
  CATEGORY_SHARE: 11,
  SOURCE_SHARE: 12,
  OVER_LIMIT: 13,
  OVER_TOKENS: 14,
  IN_BLOCK: 15,
};

/** The order of a recall's dropped candidates: by reason as the pipeline goes, then best score first, then by id. */
export function compareDropped(left: DroppedCandidate, right: DroppedCandidate): number {
  return (
    pipelineOrder[left.reason] - pipelineOrder[right.reason] ||
    (right.score ?? 0) - (left.score ?? 0) ||
    compareIds(left.id, right.id)
  );
}
