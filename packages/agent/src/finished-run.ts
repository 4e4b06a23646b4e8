import { maxTurnBytes, type TurnInput, utf8ByteLength } from "@loci/domain";
import { agentTools } from "./agent-tools.ts";
import type { KnownConversation } from "./conversation.ts";
import { withoutRecalled } from "./without-recalled.ts";

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

/** Marks the end of what was cut, as everywhere in Loci. */
const cutMark = "...";

const toolsThatRecall: ReadonlySet<string> = new Set(
  agentTools.filter(({ showsMemory }) => showsMemory).map(({ name }) => name),
);

/**
 * Turns as a session takes them: without what was recalled for the question, and cut to what a turn may have. What a tool of
 * memory returned is marked as recalled, so that nothing is learnt of it again.
 */
export function keepableTurns(turns: readonly TurnInput[]): readonly TurnInput[] {
  const recalling = new Set(
    turns.flatMap(({ toolCalls = [] }) =>
      toolCalls.filter(({ function: { name } }) => toolsThatRecall.has(name)).map(({ id }) => id),
    ),
  );
  return turns.map((turn) => {
    const said = turn.role === "user" ? withoutRecalled(turn.content) : turn.content;
    const content = cutToBytes(said.toWellFormed(), maxTurnBytes - bytesBeside(turn));
    const isRecalled = turn.role === "tool" && recalling.has(turn.toolCallId ?? "");
    return { ...turn, content, ...(isRecalled ? { recalled: true } : {}) };
  });
}

function bytesBeside({ name = "", toolCallId = "", toolCalls = [] }: TurnInput): number {
  return [
    name,
    toolCallId,
    ...toolCalls.flatMap(({ id, function: called }) => [id, called.name, called.arguments]),
  ].reduce((bytes, text) => bytes + utf8ByteLength(text), 0);
}

function cutToBytes(text: string, most: number): string {
  if (utf8ByteLength(text) <= most) return text;
  // A unit takes a byte at least: what fits is no longer than that.
  let end = Math.min(text.length, Math.max(0, most - cutMark.length));
  while (end > 0 && utf8ByteLength(text.slice(0, end).toWellFormed()) + cutMark.length > most)
    end = Math.floor(end * 0.9);
  return text.slice(0, end).toWellFormed() + cutMark;
}
