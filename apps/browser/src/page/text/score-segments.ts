import { type ScoreParts, ScoreCombination, type ScoringProfile } from "@loci/api-web";

/** What a score is made of, in the order in which it is shown. */
export const segmentNames = ["relevance", "recency", "importance", "frequency", "neighbours"] as const;

export type SegmentName = (typeof segmentNames)[number];

/** What one part brings to a score, with all that multiplies it. */
export interface ScoreSegment {
  readonly name: SegmentName;
  readonly value: number;
}

/**
 * What each part brings to a score: together they are the score. In a product each of the others counts as much as the memory is
 * relevant.
 */
export function scoreSegments(parts: ScoreParts, { weights, combination }: ScoringProfile): readonly ScoreSegment[] {
  const { relevance, recency, importance, frequency, stale, tagBoost, neighbours } = parts;
  const factor = stale * tagBoost;
  const others = combination === ScoreCombination.SUM ? factor : factor * relevance;
  return [
    { name: "relevance", value: (weights?.relevance ?? 0) * relevance * factor },
    { name: "recency", value: (weights?.recency ?? 0) * recency * others },
    { name: "importance", value: (weights?.importance ?? 0) * importance * others },
    { name: "frequency", value: (weights?.frequency ?? 0) * frequency * others },
    { name: "neighbours", value: neighbours },
  ];
}
