import { formatScope } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";
import { isConversationTurn } from "./conversation-turns.ts";

/**
 * Gives the places that turns of conversations have to one of each conversation in turn: the best of each, then the second of each, and so on. Among those
 * of one rank the order stays, and so does everything that is no turn.
 *
 * @param ordered in the order of who comes first
 */
export function talksInTurn(ordered: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
  const rounds: ScoredCandidate[][] = [];
  const seen = new Map<string, number>();
  for (const scored of ordered) {
    const { memory } = scored;
    if (!isConversationTurn(memory)) continue;
    const talk = `${formatScope(memory.scope)}\n${memory.provenance?.sourceId ?? ""}`;
    const round = seen.get(talk) ?? 0;
    seen.set(talk, round + 1);
    (rounds[round] ??= []).push(scored);
  }
  if (seen.size < 2) return ordered;
  const turns = rounds.flat();
  let next = 0;
  return ordered.map((scored) => (isConversationTurn(scored.memory) ? (turns[next++] as ScoredCandidate) : scored));
}
