import { maxTurnBytes, type ToolCall, type TurnInput, utf8ByteLength } from "@loci/domain";
import { agentTools } from "./agent-tools.ts";
import { withMatchedCalls } from "./matched-calls.ts";
import { withoutRecalled } from "./without-recalled.ts";

/** Marks the end of what was cut, as everywhere in Loci. */
const cutMark = "...";
/** What calls may take of a turn that is too long: the rest is for what was said with them. */
const mostCallBytes = maxTurnBytes / 2;

const toolsThatRecall: ReadonlySet<string> = new Set(
  agentTools.filter(({ showsMemory }) => showsMemory).map(({ name }) => name),
);

/**
 * Turns as a session takes them: without what was recalled for the question, with calls and results that belong together, and cut to
 * what a turn may have. What a tool of memory returned is marked as recalled, so that nothing is learnt of it again.
 */
export function keepableTurns(turns: readonly TurnInput[]): readonly TurnInput[] {
  const recalling = new Set(
    turns.flatMap(({ toolCalls = [] }) =>
      toolCalls.filter(({ function: { name } }) => toolsThatRecall.has(name)).map(({ id }) => id),
    ),
  );
  return withMatchedCalls(turns).map((turn) => {
    const content = turn.role === "user" ? withoutRecalled(turn.content) : turn.content;
    const isRecalled = turn.role === "tool" && recalling.has(turn.toolCallId ?? "");
    return cutTurn({ ...turn, content, ...(isRecalled ? { recalled: true } : {}) });
  });
}

/** A turn with texts that are well formed, and cut to what it may have. */
export function cutTurn(given: TurnInput): TurnInput {
  const turn = withShortCalls(given);
  return { ...turn, content: cutToBytes(turn.content.toWellFormed(), maxTurnBytes - bytesBeside(turn)) };
}

/** With arguments that can be kept: a model may write a whole file as one. */
function withShortCalls(turn: TurnInput): TurnInput {
  if (turn.toolCalls === undefined) return turn;
  const toolCalls = turn.toolCalls.map((call) => withArguments(call, call.function.arguments.toWellFormed()));
  const whole = { ...turn, toolCalls };
  if (bytesBeside(whole) + utf8ByteLength(turn.content) <= maxTurnBytes) return whole;
  const most = Math.floor(mostCallBytes / toolCalls.length);
  return {
    ...turn,
    toolCalls: toolCalls.map((call) => withArguments(call, cutToBytes(call.function.arguments, most))),
  };
}

function withArguments(call: ToolCall, text: string): ToolCall {
  return { ...call, function: { ...call.function, arguments: text } };
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
