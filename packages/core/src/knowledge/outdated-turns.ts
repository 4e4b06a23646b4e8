import { formatScope, type Instant, type MemoryId, type MemoryRecord, type RecallHit } from "@loci/domain";
import { isConversationTurn } from "../recall/conversation-turns.ts";
import type { Outdated } from "./memory-item.ts";

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

/** A memory that took the place of another one, as it is shown. */
export type ReplacingMemory = Pick<RecallHit, "memory" | "text" | "tokens" | "truncated">;

/**
 * Marks turns of which something is over, and puts what took its place right before them, unless it stands before them anyway. All
 * else stays where it is.
 *
 * @param unfound what took the place of something and was not found itself: it is shown with the score of the turn by which it was
 */
export function markOutdated(
  hits: readonly RecallHit[],
  outdated: ReadonlyMap<MemoryId, OutdatedTurn>,
  unfound: ReadonlyMap<MemoryId, ReplacingMemory> = new Map(),
): readonly (RecallHit & Outdated)[] {
  const found = new Map(hits.map((hit) => [hit.memory.id, hit]));
  const marked = new Map<MemoryId, RecallHit & Outdated>();
  for (const hit of hits) {
    const { id } = hit.memory;
    const { since, by = [] } = outdated.get(id) ?? {};
    // What took its place was captured, and is no turn that something may have to stand before in turn.
    for (const newer of by) {
      const further = unfound.get(newer);
      const replacing = found.get(newer) ?? (further && { ...hit, ...further });
      if (replacing !== undefined && !marked.has(newer)) marked.set(newer, replacing);
    }
    if (!marked.has(id)) marked.set(id, since === undefined ? hit : { ...hit, outdated: { since, isInPart: true } });
  }
  return [...marked.values()];
}

/** Of a conversation, in its scope: sessions of two users may have one name. */
function placeOf({ provenance, scope }: Pick<SaidMemory, "provenance" | "scope">): string | undefined {
  if (provenance?.kind !== "conversation" || provenance.position === undefined) return undefined;
  return JSON.stringify([formatScope(scope), provenance.sourceId, provenance.position]);
}
