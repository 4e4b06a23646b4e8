import type { MemoryId, OutdatedMark, RecallHit } from "@loci/domain";

/** A memory that took the place of another one, as it is shown. */
export type ReplacingMemory = Pick<RecallHit, "memory" | "text" | "tokens" | "truncated">;

/**
 * Marks hits of which something is over, and puts what holds instead right before them, unless it stands before them anyway. All else
 * stays where it is, and so does a mark that says that a hit is over as a whole.
 *
 * @param unfound what holds instead and was not found itself: it is shown with the score of the hit by which it was. Default nothing
 */
export function markOutdated(
  hits: readonly RecallHit[],
  outdated: ReadonlyMap<MemoryId, OutdatedMark>,
  unfound: ReadonlyMap<MemoryId, ReplacingMemory> = new Map(),
): readonly RecallHit[] {
  const marked = hits.map((hit) => withMark(hit, outdated.get(hit.memory.id)));
  const found = new Map(marked.map((hit) => [hit.memory.id, hit]));
  const placed = new Map<MemoryId, RecallHit>();
  for (const hit of marked) {
    // What took its place was captured, and is no turn that something may have to stand before in turn.
    for (const newer of outdated.get(hit.memory.id)?.replacedBy ?? []) {
      const further = unfound.get(newer);
      const replacing = found.get(newer) ?? (further && { ...hit, ...further, outdated: undefined });
      if (replacing !== undefined && !placed.has(newer)) placed.set(newer, replacing);
    }
    if (!placed.has(hit.memory.id)) placed.set(hit.memory.id, hit);
  }
  return [...placed.values()];
}

function withMark(hit: RecallHit, mark: OutdatedMark | undefined): RecallHit {
  return mark === undefined || hit.outdated?.isInPart === false ? hit : { ...hit, outdated: mark };
}
