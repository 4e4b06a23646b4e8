import type { MemoryId } from "@loci/domain";
import type { RecallCandidate } from "./candidate.ts";
import { placesOfTurns } from "./conversation-turns.ts";

/** The unread candidates that a candidate's score depends on: itself, and the turns before and after it. */
export type UnreadOf = (id: MemoryId) => readonly MemoryId[];

const none: readonly MemoryId[] = [];

/** @param withNeighbours whether neighbouring turns add to a score */
export function unreadOf(candidates: readonly RecallCandidate[], withNeighbours: boolean): UnreadOf {
  const unread = candidates.filter(({ isUnread }) => isUnread === true);
  if (unread.length === 0) return () => none;
  const ids = new Map(unread.map(({ memory: { id } }) => [id, [id]]));
  if (!withNeighbours) return (id) => ids.get(id) ?? none;
  const places = placesOfTurns(
    candidates.map(({ memory }) => memory),
    (index) => ids.get(candidates[index]?.memory.id as MemoryId) ?? none,
    (left, right) => [...left, ...right],
  );
  const placeOf = new Map(candidates.map(({ memory }, index) => [memory.id, places[index]]));
  return (id) => {
    const place = placeOf.get(id);
    if (place === undefined) return ids.get(id) ?? none;
    const { position, turns } = place;
    return [-1, 0, 1].flatMap((step) => turns.get(position + step) ?? none);
  };
}
