import type { MemoryId } from "@loci/domain";
import type { RecallCandidate } from "./candidate.ts";
import type { TurnPlace } from "./conversation-turns.ts";

/** The unread candidates that a candidate's score depends on: itself, and the turns before and after it. */
export type UnreadOf = (index: number) => readonly MemoryId[];

const none: readonly MemoryId[] = [];

/**
 * @param places of the candidates in their conversations
 * @param withNeighbours whether neighbouring turns add to a score
 */
export function unreadOf(
  candidates: readonly RecallCandidate[],
  places: readonly (TurnPlace | undefined)[],
  withNeighbours: boolean,
): UnreadOf {
  if (!candidates.some(({ isUnread }) => isUnread)) return () => none;
  const unread = (index: number): readonly MemoryId[] => {
    const candidate = candidates[index];
    return candidate?.isUnread === true ? [candidate.memory.id] : none;
  };
  if (!withNeighbours) return unread;
  return (index) => {
    const place = places[index];
    if (place === undefined) return unread(index);
    const {
      position,
      conversation: { turns },
    } = place;
    return [-1, 0, 1].flatMap((step) => (turns.get(position + step) ?? []).flatMap(unread));
  };
}
