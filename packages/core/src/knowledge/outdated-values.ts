import { formatScope, type Instant, type MemoryId, type MemoryRecord } from "@loci/domain";
import { heldSince } from "../recall/newer-first.ts";
import type { ShownMemory } from "./memory-item.ts";

type SlotMemory = Pick<MemoryRecord, "id" | "scope" | "slot" | "origin" | "validFrom" | "createdAt">;

/**
 * Values of slots of which the memories hold a newer one in the same scope, each with since when the newest holds.
 *
 * A value that was captured outdates none: what it takes the place of is closed when it is captured, and what it stands beside
 * holds as well.
 *
 * @param memories all that are shown, in any order
 */
export function outdatedValues(memories: readonly SlotMemory[]): ReadonlyMap<MemoryId, Instant> {
  const newest = new Map<string, Instant>();
  for (const memory of memories) {
    const key = keyOf(memory);
    if (key === undefined || memory.origin === "capture") continue;
    newest.set(key, Math.max(newest.get(key) ?? -Infinity, heldSince(memory)));
  }
  const outdated = new Map<MemoryId, Instant>();
  for (const memory of memories) {
    const key = keyOf(memory);
    const since = key === undefined ? undefined : newest.get(key);
    if (since !== undefined && since > heldSince(memory)) outdated.set(memory.id, since);
  }
  return outdated;
}

function keyOf({ scope, slot }: SlotMemory): string | undefined {
  return slot === undefined ? undefined : JSON.stringify([formatScope(scope), slot]);
}

/** Marks values that are not the newest of their slot. @param beside what is shown as well */
export function markOutdatedValues<Shown extends ShownMemory>(
  shown: readonly Shown[],
  beside: readonly ShownMemory[] = [],
): readonly Shown[] {
  const outdated = outdatedValues([...shown, ...beside].map(({ memory }) => memory));
  if (outdated.size === 0) return shown;
  return shown.map((one) => {
    const since = outdated.get(one.memory.id);
    return since === undefined ? one : { ...one, outdated: { since, isInPart: false } };
  });
}
