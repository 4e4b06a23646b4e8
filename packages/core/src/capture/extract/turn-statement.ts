import type { CapturedTurn, CaptureEvidence } from "@loci/domain";
import type { Company } from "./company.ts";
import type { Statement } from "./read-sentence.ts";

/** What a turn of the user states, with what explains it. */
export interface TurnStatement extends Statement {
  readonly turn: CapturedTurn;
  /** Whom the user means who says `we`. */
  readonly company: Company;
  /** What was said before it, and without which it cannot be understood. */
  readonly context: string | undefined;
  /** The turn that the context is of, when it is no question just before it. */
  readonly explainedBy: number | undefined;
  /** In the third person, with its context. */
  readonly text: string;
  /** It corrects what the assistant did or said. */
  readonly isCorrection: boolean;
  /** It is said first behind a question of the assistant, */
  readonly isReply: boolean;
  /** and the question is to the user, not one of a quiz. */
  readonly isAnswer: boolean;
  /** What the assistant offered, when it is that which the user takes. */
  readonly offered?: CaptureEvidence | undefined;
  /** The user asked that it be kept nowhere. */
  readonly isWithheld: boolean;
}

/** Longest text of a statement, in UTF-16 units. */
export const longestText = 600;

/** How a statement is said that needs nothing to explain it, and neither answers, orders nor corrects anything. */
export const plainlySaid = {
  context: undefined,
  explainedBy: undefined,
  refusal: undefined,
  isCorrection: false,
  isReply: false,
  isAnswer: false,
  isOrder: false,
  asksForWork: false,
  isWithheld: false,
  takesBack: false,
  revises: false,
} as const;
