import { formatScope } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";
import { isConversationTurn } from "./conversation-turns.ts";

/** What a turn's score counts for each turn of its talk before it. Measured: see decision 130. */
const shareOfNext = 0.8;

/**
 * Gives the places that turns of conversations have to several of them: each turn of a talk makes the next one of it count four fifths, so that a talk
 * that has little to do with the question does not come before the third turn of one that it is about. What is no turn keeps its place.
 *
 * @param ordered in the order of who comes first
 */
export function talksInTurn(ordered: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
  const told = new Map<string, number>();
  const shared: { readonly scored: ScoredCandidate; readonly score: number }[] = [];
  for (const scored of ordered) {
    const { memory, score } = scored;
    if (!isConversationTurn(memory)) continue;
    const talk = `${formatScope(memory.scope)}\n${memory.provenance?.sourceId ?? ""}`;
    const share = told.get(talk) ?? 1;
    told.set(talk, shareOfNext * share);
    shared.push({ scored, score: share * score });
  }
  if (told.size < 2) return ordered;
  shared.sort((left, right) => right.score - left.score);
  let next = 0;
  return ordered.map((scored) => (isConversationTurn(scored.memory) ? (shared[next++]?.scored ?? scored) : scored));
}
