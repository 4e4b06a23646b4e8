import type { ToolCall, Turn, TurnInput } from "@loci/domain";

/** Whether a turn that is given says what a stored one does. A time that is left out is no difference. */
export function isSameTurn(given: TurnInput, known: Turn): boolean {
  return (
    given.role === known.role &&
    given.content === known.content &&
    given.name === known.name &&
    given.toolCallId === known.toolCallId &&
    (given.recalled ?? false) === known.recalled &&
    (given.at === undefined || given.at === known.at) &&
    areSameCalls(given.toolCalls ?? [], known.toolCalls ?? [])
  );
}

function areSameCalls(given: readonly ToolCall[], known: readonly ToolCall[]): boolean {
  return (
    given.length === known.length &&
    given.every(({ id, function: called }, index) => {
      const other = known[index];
      return id === other?.id && called.name === other.function.name && called.arguments === other.function.arguments;
    })
  );
}
