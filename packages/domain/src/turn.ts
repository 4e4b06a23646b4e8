import { fieldsOf } from "./check-fields.ts";
import type { Instant } from "./instant.ts";
import type { MessageRole, ToolCall } from "./message.ts";

/** What somebody said in a session, or what a tool answered. */
export interface TurnInput {
  readonly role: MessageRole;
  /** May be empty, as of an assistant that only calls tools. */
  readonly content: string;
  /** Who it was, among several of one role. */
  readonly name?: string | undefined;
  /** Of an assistant only. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Of a tool only, and always: the call it answers. */
  readonly toolCallId?: string | undefined;
  /** When it was said. Default: when it is appended. */
  readonly at?: Instant | undefined;
  /** True for text that came out of memory. Nothing is learned from it again. Default false. */
  readonly recalled?: boolean | undefined;
}

export const turnInputFields: ReadonlySet<string> = fieldsOf<TurnInput>({
  role: true,
  content: true,
  name: true,
  toolCalls: true,
  toolCallId: true,
  at: true,
  recalled: true,
});

/** A turn as a session keeps it. */
export interface Turn extends TurnInput {
  /** Its place in the session, from 1 without gaps. */
  readonly number: number;
  readonly at: Instant;
  readonly recalled: boolean;
}

/** What appending takes besides the session. */
export interface AppendTurnsRequest {
  /** The number of the last turn the caller knows, 0 before the first: new turns follow it. */
  readonly expectedLast: number;
  /** 1 to 100 turns, oldest first. */
  readonly turns: readonly TurnInput[];
}

/** Where the turns of a call stand. */
export interface AppendedTurns {
  readonly firstTurn: number;
  readonly lastTurn: number;
  /** They stood there already: an earlier call, whose answer was lost perhaps, had appended them. */
  readonly replayed: boolean;
}

/** Most turns of one call. */
export const maxTurnsPerAppend = 100;

/** Most turns of a session. */
export const maxTurnsPerSession = 100_000;

/** The largest turn, in bytes of UTF-8: its content, name, and tool calls together. */
export const maxTurnBytes: number = 256 * 1024;

/** Most tool calls of one turn. */
export const maxToolCallsPerTurn = 128;
