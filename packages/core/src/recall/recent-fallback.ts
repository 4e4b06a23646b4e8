import type { Instant, Memory, RecallHit, ScoringProfile } from "@loci/domain";
import { compareIds } from "../scoring/compare-ids.ts";
import { compositeScoreParts, scoreOfParts } from "../scoring/composite-score.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { allSteps, type Steps } from "./steps.ts";
import { type TokenLimits, tokenLimitSteps } from "./token-limits.ts";

export interface RecentFallbackInput {
  /** What may stand in, in any order. */
  readonly memories: readonly Memory[];
  readonly profile: ScoringProfile;
  readonly evaluationTime: Instant;
  /** Most hits. */
  readonly limit: number;
  readonly tokenLimits: TokenLimits;
  readonly counter: TokenCounter;
}

/**
 * Hits for when nothing is relevant: the newest memories, newest first, ties by id. They are marked `recent`; their
 * relevance is 0, and their score is what the rest of the composite score gives.
 */
export function recentFallback(input: RecentFallbackInput): readonly RecallHit[] {
  return allSteps(recentFallbackSteps(input));
}

/** The same, a long text at a time. */
export function* recentFallbackSteps(input: RecentFallbackInput): Steps<readonly RecallHit[]> {
  const { profile, evaluationTime } = input;
  const newest = input.memories
    .toSorted((left, right) => right.createdAt - left.createdAt || compareIds(left.id, right.id))
    .slice(0, input.limit)
    .map((memory) => {
      const { relevance, ...factors } = compositeScoreParts(
        { memory, usage: memory.usage, relevance: 0, queryTags },
        profile,
        evaluationTime,
      );
      const parts = { relevance, text: 0, ...factors, neighbours: 0 };
      return { memory, score: scoreOfParts(parts, profile), parts, foundBy: "recent" as const };
    });
  const { kept } = yield* tokenLimitSteps(newest, input.tokenLimits, input);
  return kept.map(({ memory, score, parts, text, tokens, truncated, foundBy }) => {
    return { memory, score, parts, text, tokens, truncated, foundBy };
  });
}

const queryTags: ReadonlySet<string> = new Set();
