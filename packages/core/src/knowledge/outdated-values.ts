import { formatScope, type Instant, type MemoryId, type MemoryRecord, type OutdatedMark } from "@loci/domain";
import { heldSince } from "../recall/newer-first.ts";
import { compareIds } from "../scoring/compare-ids.ts";
import type { ShownMemory } from "./memory-item.ts";

type SlotMemory = Pick<MemoryRecord, "id" | "scope" | "slot" | "origin" | "validFrom" | "createdAt">;

/** The newest values of one slot in one scope: several that hold since one time. */
interface NewestValues {
  readonly since: Instant;
  readonly ids: readonly MemoryId[];
}

/**
 * Values of slots of which the memories hold a newer one in the same scope, each with since when the newest holds.
 *
 * A value that was captured outdates none: what it takes the place of is closed when it is captured, and what it stands beside
 * holds as well.
 *
 * @param memories all that are shown, in any order
 */
export function outdatedValues(memories: readonly SlotMemory[]): ReadonlyMap<MemoryId, OutdatedMark> {
  const newest = new Map<string, NewestValues>();
  for (const memory of memories) {
    const key = keyOf(memory);
    if (key === undefined || memory.origin === "capture") continue;
    const since = heldSince(memory);
    const known = newest.get(key);
    if (known === undefined || since > known.since) newest.set(key, { since, ids: [memory.id] });
    else if (since === known.since) newest.set(key, { since, ids: [...known.ids, memory.id] });
  }
  const outdated = new Map<MemoryId, OutdatedMark>();
  for (const memory of memories) {
    const key = keyOf(memory);
    const { since, ids } = (key === undefined ? undefined : newest.get(key)) ?? {};
    if (since === undefined || ids === undefined || since <= heldSince(memory)) continue;
    outdated.set(memory.id, { since, isInPart: false, replacedBy: [...new Set(ids)].toSorted(compareIds) });
  }
  return outdated;
}

function keyOf({ scope, slot }: SlotMemory): string | undefined {
  return slot === undefined ? undefined : JSON.stringify([formatScope(scope), slot]);
}

/** Marks values that are not the newest of their slot. @param beside what holds as well, shown or not */
export function markOutdatedValues<Shown extends ShownMemory>(
  shown: readonly Shown[],
  beside: readonly { readonly memory: SlotMemory }[] = [],
): readonly Shown[] {
  const outdated = outdatedValues([...shown, ...beside].map(({ memory }): SlotMemory => memory));
  if (outdated.size === 0) return shown;
  return shown.map((one) => {
    const mark = outdated.get(one.memory.id);
    return mark === undefined ? one : { ...one, outdated: mark };
  });
}
