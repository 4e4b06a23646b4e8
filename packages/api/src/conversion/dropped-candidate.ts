import type { DroppedCandidate, DropReason, MemoryId, ScoreParts } from "@loci/domain";
import type {
  DroppedCandidate as ProtoDroppedCandidate,
  ScoreParts as ProtoScoreParts,
} from "../gen/loci/v1/recall.ts";
import { withoutUndefined } from "./read-value.ts";
import { scorePartsFromProto, scorePartsToProto } from "./score-parts.ts";

export function droppedCandidateToProto(candidate: DroppedCandidate): ProtoDroppedCandidate {
  const { id, reason, inFavourOf, score, parts, closeness, floor } = candidate;
  return { id, reason, inFavourOf, score, parts: optionalPartsToProto(parts), closeness, floor };
}

export function droppedCandidateFromProto(candidate: ProtoDroppedCandidate): DroppedCandidate {
  const { id, reason, inFavourOf, score, parts, closeness, floor } = candidate;
  return withoutUndefined({
    id: id as MemoryId,
    reason: reason as DropReason,
    inFavourOf: inFavourOf as MemoryId | undefined,
    score,
    parts: optionalPartsFromProto(parts),
    closeness,
    floor,
  });
}

export function optionalPartsToProto(parts: ScoreParts | undefined): ProtoScoreParts | undefined {
  return parts === undefined ? undefined : scorePartsToProto(parts);
}

export function optionalPartsFromProto(parts: ProtoScoreParts | undefined): ScoreParts | undefined {
  return parts === undefined ? undefined : scorePartsFromProto(parts);
}
