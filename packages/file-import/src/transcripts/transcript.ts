import type { TurnInput } from "@loci/domain";

/**
 * The forms of transcripts that are read: messages as the OpenAI and the Anthropic API take them, the logs that Claude Code
 * and Codex keep of their sessions, and ShareGPT conversations.
 */
export const transcriptKinds = ["openai", "anthropic", "claude-code", "codex", "sharegpt"] as const;

export type TranscriptKind = (typeof transcriptKinds)[number];

/**
 * Why something of a transcript is no turn, or no part of one.
 *
 * - `NOT_JSON`: a line that cannot be read, such as the last one of a log that is still being written, and each behind 10,000 of them
 * - `UNKNOWN_RECORD`: not of the form of this kind
 * - `OF_THE_PROGRAM`: the program's own notes: settings, snapshots, context it adds by itself
 * - `OF_ANOTHER_AGENT`: said between an agent and one that it started
 * - `SAID_TWICE`: the transcript holds it a second time
 * - `REASONING`: a model's thoughts
 * - `NOT_TEXT`: images, files, sounds
 * - `EMPTY`: neither text nor a call
 * - `RESULT_WITHOUT_CALL`: answers no call of the turn before it
 * - `CALL_TWICE`: a call with the id of another one of its turn
 * - `TOO_LARGE`: over 256 KiB, or a call too many for a turn
 * - `TOO_MANY_TURNS`: the session has 100,000 already
 */
export type SkipReason =
  | "NOT_JSON"
  | "UNKNOWN_RECORD"
  | "OF_THE_PROGRAM"
  | "OF_ANOTHER_AGENT"
  | "SAID_TWICE"
  | "REASONING"
  | "NOT_TEXT"
  | "EMPTY"
  | "RESULT_WITHOUT_CALL"
  | "CALL_TWICE"
  | "TOO_LARGE"
  | "TOO_MANY_TURNS";

/** What was left out for one reason. */
export interface SkippedParts {
  readonly reason: SkipReason;
  readonly count: number;
  /** Where, the first ten of them: lines from 1, of a file that is one JSON value its conversations or messages. */
  readonly lines: readonly number[];
}

/** One conversation of a transcript. Its turns can be appended to a session as they are. */
export interface TranscriptSession {
  /** As the transcript names it, when it does. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly turns: readonly TurnInput[];
}

/** What was read. Nothing is left out that `skipped` does not count. */
export interface Transcript {
  readonly kind: TranscriptKind;
  readonly sessions: readonly TranscriptSession[];
  readonly skipped: readonly SkippedParts[];
}
