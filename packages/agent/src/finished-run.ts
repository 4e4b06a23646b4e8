import type { TurnInput } from "@loci/domain";
import type { KnownConversation } from "./conversation.ts";

/** A question that was answered, with all that was said and called on the way. */
export interface FinishedRun {
  readonly conversation: KnownConversation;
  /** Where the question stands in the conversation: as when its block was asked for. */
  readonly position: number;
  /** The question, as its block was asked for. Default: the last turn of the user. */
  readonly question?: string | undefined;
  /** What the user said since the last answer, the question last; what tools were asked and returned; and the answer. */
  readonly turns: readonly TurnInput[];
  /**
   * What was said before the question, oldest first, as far as it is known: tells a run that is kept again from one that says the
   * same as an earlier one.
   */
  readonly before?: readonly TurnInput[] | undefined;
}
