import { formatScope, type Instant, type MemoryId, type MemoryRecord } from "@loci/domain";
import { isConversationTurn } from "../recall/conversation-turns.ts";

type SaidMemory = Pick<MemoryRecord, "id" | "scope" | "provenance" | "origin" | "validTo" | "supersededBy">;

/** What is known of a turn of which something is over. */
export interface OutdatedTurn {
  /** The earliest end. */
  readonly since: Instant;
  /** What took the place of something that it says, as far as anything did. */
  readonly by: ReadonlySet<MemoryId>;
}

/**
 * Turns of conversations of which something is over: of what was captured of them some has ended. What else they say may
 * hold still.
 *
 * @param turns others are passed over
 * @param others memories of the same places, in any order; only what was captured counts
 * @param at what ends later holds still
 */
export function outdatedTurns(
  turns: readonly SaidMemory[],
  others: readonly SaidMemory[],
  at: Instant,
): ReadonlyMap<MemoryId, OutdatedTurn> {
  const ended = new Map<string, OutdatedTurn>();
  for (const { origin, validTo, supersededBy, ...memory } of others) {
    const place = placeOf(memory);
    if (place === undefined || validTo === undefined || validTo > at) continue;
    if (origin !== "capture" && origin !== "correction") continue;
    const { since = validTo, by = [] } = ended.get(place) ?? {};
    const newer = supersededBy === undefined ? [] : [supersededBy];
    ended.set(place, { since: Math.min(since, validTo), by: new Set([...by, ...newer]) });
  }
  const outdated = new Map<MemoryId, OutdatedTurn>();
  for (const turn of turns) {
    const place = isConversationTurn(turn) ? placeOf(turn) : undefined;
    const known = place === undefined ? undefined : ended.get(place);
    if (known !== undefined) outdated.set(turn.id, known);
  }
  return outdated;
}

/** Of a conversation, in its scope: sessions of two users may have one name. */
function placeOf({ provenance, scope }: Pick<SaidMemory, "provenance" | "scope">): string | undefined {
  if (provenance?.kind !== "conversation" || provenance.position === undefined) return undefined;
  return JSON.stringify([formatScope(scope), provenance.sourceId, provenance.position]);
}
