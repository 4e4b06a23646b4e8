import { formatScope, type Memory } from "@loci/domain";

/** A memory's own score, before its neighbours add to it. */
export interface OwnScore {
  readonly memory: Pick<Memory, "provenance" | "scope">;
  readonly score: number;
}

/**
 * The better own score of the turn before and the turn after each memory, in the order given: 0 where there is none
 * among them, and for everything but turns of a conversation. Turns are neighbours when their positions in the same
 * source and scope differ by one.
 *
 * An answer often shares no word with the question that a user asks later, but the turn it answers does.
 */
export function betterNeighbourScores(scored: readonly OwnScore[]): readonly number[] {
  const conversations = new Map<string, Map<number, number>>();
  for (const { memory, score } of scored) {
    const turn = turnOf(memory);
    if (turn === undefined) continue;
    const positions = conversations.get(turn.conversation) ?? new Map<number, number>();
    conversations.set(
      turn.conversation,
      positions.set(turn.position, Math.max(score, positions.get(turn.position) ?? 0)),
    );
  }
  return scored.map(({ memory }) => {
    const turn = turnOf(memory);
    const positions = turn === undefined ? undefined : conversations.get(turn.conversation);
    if (turn === undefined || positions === undefined) return 0;
    return Math.max(positions.get(turn.position - 1) ?? 0, positions.get(turn.position + 1) ?? 0);
  });
}

/** True for memories that are turns of a conversation, which crowd each other less than other sources do. */
export function isConversationTurn({ provenance }: Pick<Memory, "provenance">): boolean {
  return provenance?.kind === "conversation";
}

function turnOf(memory: OwnScore["memory"]): { readonly conversation: string; readonly position: number } | undefined {
  const { provenance, scope } = memory;
  if (provenance?.kind !== "conversation" || provenance.position === undefined) return undefined;
  // No scope id holds a control character, so a line break cannot be part of one.
  return { conversation: `${formatScope(scope)}\n${provenance.sourceId}`, position: provenance.position };
}
