import type { CaptureDecision } from "./capture.ts";
import type { CaptureExtractor, CaptureJob } from "./captures-api.ts";
import type { Memory } from "./memory.ts";
import type { SessionInput, SessionKey } from "./session.ts";
import type { AppendedTurns, TurnInput } from "./turn.ts";

/**
 * The session that turns go into. One that is not there begins with these fields; one that is there is named by `scope` and `id`, and
 * keeps its own.
 */
export interface CapturedSessionInput extends Omit<SessionInput, "id"> {
  /**
   * 1 to 187 bytes. Default: the turns are a conversation of their own, whose id is made from the call's `requestId`, so that a
   * repetition of the call finds it.
   */
  readonly id?: string | undefined;
}

/** What `sessions.appendAndCapture` takes besides the session. */
export interface AppendAndCaptureRequest {
  /** 1 to 100 turns, oldest first. */
  readonly turns: readonly TurnInput[];
  /**
   * The number of the last turn the caller knows, 0 before the first, as in `append`. Default: they follow whatever stands there, and those
   * that are the last to stand there already are not appended twice, so that a conversation may be given whole each time that it has grown.
   */
  readonly expectedLast?: number | undefined;
  /** Default `auto`. */
  readonly extractor?: CaptureExtractor | undefined;
  /**
   * How long the memories are waited for, in milliseconds, from 0 to 60,000. Default 20,000. When it is over, the answer says what there is, and
   * the capture goes on.
   */
  readonly waitMilliseconds?: number | undefined;
}

/** What is remembered of a statement in turns that were captured. */
export interface LearnedMemory {
  /** Never `null`: statements that were refused are in the report of the capture alone. */
  readonly decision: CaptureDecision;
  /**
   * The memory that says it, as it is now: for `NOOP` the one that said it before. One whose `state` is `quarantined` waits for a review.
   * Absent for `DELETE`, and for one that was forgotten since or that the caller may not see.
   */
  readonly memory?: Memory | undefined;
  /** The memory that holds no more: which `memory` took the place of, or which was only ended. */
  readonly closed?: Memory | undefined;
}

/** Turns that are kept, and what was learned from them. */
export interface CapturedTurns {
  /** With it the conversation is gone on with. */
  readonly session: SessionKey;
  readonly appended: AppendedTurns;
  /** Of the turns, with their reports, which say also what was left out and why. One that is not over yet says so in its `state`. */
  readonly captures: readonly CaptureJob[];
  /** In the order in which it was said. Of captures that are not over yet, nothing. */
  readonly learned: readonly LearnedMemory[];
}
