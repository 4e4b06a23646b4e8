import type { DroppedCandidate, DropReason, MemoryId } from "@loci/domain";
import type { DroppedCandidate as ProtoDroppedCandidate } from "../gen/loci/v1/recall.ts";
import { withoutUndefined } from "./read-value.ts";
import { scorePartsFromProto, scorePartsToProto } from "./score-parts.ts";

export function droppedCandidateToProto(candidate: DroppedCandidate): ProtoDroppedCandidate {
  const { id, reason, inFavourOf, score, parts } = candidate;
  return { id, reason, inFavourOf, score, parts: parts === undefined ? undefined : scorePartsToProto(parts) };
}

export function droppedCandidateFromProto(candidate: ProtoDroppedCandidate): DroppedCandidate {
  const { id, reason, inFavourOf, score, parts } = candidate;
  return withoutUndefined({
    id: id as MemoryId,
    reason: reason as DropReason,
    inFavourOf: inFavourOf as MemoryId | undefined,
    score,
    parts: parts === undefined ? undefined : scorePartsFromProto(parts),
  });
}
