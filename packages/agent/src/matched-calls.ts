import { maxToolCallsPerTurn, type ToolCall, type TurnInput } from "@loci/domain";

/**
 * The turns of a run with the calls and results that a session takes, which refuses all of them for one that it does not take. A call
 * that cannot be answered, without an id or with that of another call of its turn, is left out. A result whose call does not stand before it is
 * kept as something that was shown.
 */
export function withMatchedCalls(turns: readonly TurnInput[]): readonly TurnInput[] {
  let open = new Set<string>();
  return turns.map((turn) => {
    if (turn.role === "tool") return open.delete(turn.toolCallId ?? "") ? turn : turnWithoutCall(turn);
    const { toolCalls, ...said } = turn;
    const calls = answerable(toolCalls ?? []);
    open = new Set(calls.map(({ id }) => id));
    return calls.length === 0 ? said : { ...said, toolCalls: calls };
  });
}

/** The result of a tool whose call does not stand before it: no user's words, and nothing is learnt from it. */
export function turnWithoutCall({ content, name }: TurnInput): TurnInput {
  return { role: "assistant", content, ...(name === undefined ? {} : { name }), recalled: true };
}

function answerable(calls: readonly ToolCall[]): readonly ToolCall[] {
  const byId = new Map<string, ToolCall>();
  for (const call of calls) if (call.id && call.function.name && !byId.has(call.id)) byId.set(call.id, call);
  return [...byId.values()].slice(0, maxToolCallsPerTurn);
}
