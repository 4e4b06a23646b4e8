import { formatScope, type Instant, type MemoryId, type MemoryRecord } from "@loci/domain";
import { isConversationTurn } from "../recall/conversation-turns.ts";

type SaidMemory = Pick<MemoryRecord, "id" | "scope" | "provenance" | "origin" | "validTo">;

/**
 * Since when something that a turn of a conversation says is over: the earliest end of what was captured of it and holds no
 * more. What else it says may hold still.
 *
 * @param turns others are passed over
 * @param others memories of the same places, in any order; only what was captured counts
 * @param at what ends later holds still
 */
export function outdatedTurns(
  turns: readonly SaidMemory[],
  others: readonly SaidMemory[],
  at: Instant,
): ReadonlyMap<MemoryId, Instant> {
  const ends = new Map<string, Instant>();
  for (const { origin, validTo, ...memory } of others) {
    const place = placeOf(memory);
    if (place === undefined || validTo === undefined || validTo > at) continue;
    if (origin === "capture" || origin === "correction") ends.set(place, Math.min(ends.get(place) ?? validTo, validTo));
  }
  const outdated = new Map<MemoryId, Instant>();
  for (const turn of turns) {
    const place = isConversationTurn(turn) ? placeOf(turn) : undefined;
    const end = place === undefined ? undefined : ends.get(place);
    if (end !== undefined) outdated.set(turn.id, end);
  }
  return outdated;
}

/** Of a conversation, in its scope: sessions of two users may have one name. */
function placeOf({ provenance, scope }: Pick<SaidMemory, "provenance" | "scope">): string | undefined {
  if (provenance?.kind !== "conversation" || provenance.position === undefined) return undefined;
  return JSON.stringify([formatScope(scope), provenance.sourceId, provenance.position]);
}
