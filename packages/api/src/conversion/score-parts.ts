import type { ScoreParts } from "@loci/domain";
import type { ScoreParts as ProtoScoreParts } from "../gen/loci/v1/recall.ts";
import { withoutUndefined } from "./read-value.ts";

export function scorePartsToProto(parts: ScoreParts): ProtoScoreParts {
  return copied(parts);
}

export function scorePartsFromProto(parts: ProtoScoreParts): ScoreParts {
  return withoutUndefined(copied(parts));
}

/** In the order in which a score is put together. Both sides have the same parts. */
function copied({
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
}: ScoreParts): ProtoScoreParts {
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
