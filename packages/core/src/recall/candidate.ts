import type { Instant, MemoryId, MemoryRecord, MemoryUsage } from "@loci/domain";
import { compareIds } from "../scoring/compare-ids.ts";
import { scopeDistance } from "@loci/domain";

/** A memory that an index found, resolved in the ledger. */
export interface RecallCandidate {
  readonly memory: MemoryRecord;
  readonly usage: MemoryUsage;
  /** When the ledger recorded this version. */
  readonly recordedAt: Instant;
  /** Cosine with each sub-query, in their order; missing or `undefined` where memory or sub-query has no vector. */
  readonly cosines: readonly (number | undefined)[];
  /** Its vectors, of length 1, to tell near-duplicates by. Without them only equal texts are duplicates. */
  readonly vectors?: readonly Float32Array[] | undefined;
  /** True while its vectors have not been read: its cosines are upper bounds then. */
  readonly isUnread?: boolean | undefined;
  /** True when it is unread and was not found by nearness: it may turn out to have no vector, so that words alone count. */
  readonly mayLackVector?: boolean | undefined;
  /** How often each term of the union stands in its text, in the order of the union. */
  readonly frequencies: ArrayLike<number>;
  /** How many terms its text has, repetitions counted. */
  readonly length: number;
  /** True when one of its tags is a query tag and it was found by that. Such a candidate passes the relevance floor. */
  readonly foundByTag?: boolean | undefined;
  /** When another session of the same owner was last shown it. */
  readonly lastRecalledAt?: Instant | undefined;
}

/** Whether a candidate that has been read has a vector. */
export function hasVector({ vectors = [] }: RecallCandidate): boolean {
  return vectors.length > 0;
}

/** A candidate with its score, on its way through the ranking. What the score is made of, `CandidateScores` tells. */
export interface ScoredCandidate {
  readonly id: MemoryId;
  /** Its place among the candidates. */
  readonly index: number;
  readonly candidate: RecallCandidate;
  readonly memory: MemoryRecord;
  readonly score: number;
  readonly foundBy: "relevance" | "tag" | "time";
}

/** Best first; among equal scores the nearer scope, then the smaller id. A total order, so input order never shows. */
export function compareScored(left: ScoredCandidate, right: ScoredCandidate): number {
  if (left.score !== right.score) return left.score < right.score ? 1 : -1;
  return scopeDistance(left.memory.scope) - scopeDistance(right.memory.scope) || compareIds(left.id, right.id);
}
