import type { MemoryAccount, MemoryId, RecallHit } from "@loci/domain";
import type { EvaluationQuestion } from "./evaluation-question.ts";
import type { Measures } from "./measure-name.ts";

/** How well questions were answered. */
export interface RecallEvaluation {
  readonly measures: Measures;
  /** How many questions something answers, and how many nothing does. */
  readonly answerable: number;
  readonly unanswerable: number;
  /** What a recall took, by the clock of whoever asked. */
  readonly milliseconds: { readonly median: number; readonly p95: number };
  /** In the order in which they were given. */
  readonly questions: readonly EvaluatedQuestion[];
}

/** What became of a question. */
export interface EvaluatedQuestion extends EvaluationQuestion {
  /** Best first. */
  readonly hits: readonly Pick<RecallHit, "memory" | "score" | "outdated">[];
  /** Of each answer that is expected, in that order, its place among the hits, from 1. `undefined`: it is none of them. */
  readonly places: readonly (number | undefined)[];
  /** Why the others are none. */
  readonly missing: readonly MissingAnswer[];
  readonly milliseconds: number;
}

/** An answer that was not found. */
export interface MissingAnswer {
  readonly expected: string;
  /** What would have been it: at most 5 memories, newest first. None: nothing that is remembered in these scopes says it. */
  readonly memories: readonly MemoryId[];
  /** What became of each of them. */
  readonly accounts: readonly MemoryAccount[];
}
