import type { ScoreParts } from "@loci/domain";
import type { ScoreParts as ProtoScoreParts } from "../gen/loci/v1/recall.ts";
import { withoutUndefined } from "./read-value.ts";

export function scorePartsToProto(parts: ScoreParts): ProtoScoreParts {
  const {
    relevance,
    cosine,
    text,
    time,
    speaker,
    asking,
    role,
    instruction,
    rerank,
    recency,
    importance,
    frequency,
    stale,
    tagBoost,
    neighbours,
  } = parts;
  return {
    relevance,
    cosine,
    text,
    time,
    speaker,
    asking,
    role,
    instruction,
    rerank,
    recency,
    importance,
    frequency,
    stale,
    tagBoost,
    neighbours,
  };
}

export function scorePartsFromProto(parts: ProtoScoreParts): ScoreParts {
  const {
    relevance,
    cosine,
    text,
    time,
    speaker,
    asking,
    role,
    instruction,
    rerank,
    recency,
    importance,
    frequency,
    stale,
    tagBoost,
    neighbours,
  } = parts;
  return withoutUndefined({
    relevance,
    cosine,
    text,
    time,
    speaker,
    asking,
    role,
    instruction,
    rerank,
    recency,
    importance,
    frequency,
    stale,
    tagBoost,
    neighbours,
  });
}
