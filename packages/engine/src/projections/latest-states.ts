import type { CallOptions, ContentHash, MemoryRecord, Ref, TenantId, Version } from "@loci/domain";
import { type Ledger, type LogEntry, memoryChangeOf } from "@loci/ledger";

/** What a stretch of the log makes of one memory: the row an index should hold, or none. */
export type LatestState =
  | { readonly ref: Ref; readonly version: Version; readonly memory: MemoryRecord; readonly contentHash: ContentHash }
  | { readonly ref: Ref; readonly version: Version; readonly memory?: undefined };

/**
 * Folds a stretch of the log into one state for each memory it names. Only active memories have a row. Entries
 * that say nothing known of a memory are passed over.
 *
 * A recorded embedding names a version but does not hold it: where the stretch does not hold it either, the current
 * version is read. It may be newer than the stretch, which is no harm, as an index never goes back to an older one.
 */
export async function latestStates(
  ledger: Ledger,
  tenant: TenantId,
  entries: readonly LogEntry[],
  call?: CallOptions,
): Promise<ReadonlyMap<Ref, LatestState>> {
  const states = new Map<Ref, LatestState>();
  const embeddedOnly = new Set<Ref>();
  for (const entry of entries) {
    const change = memoryChangeOf(entry);
    if (change === undefined) continue;
    if (change.type === "embeddingRecorded") {
      if (!states.has(change.ref)) embeddedOnly.add(change.ref);
      continue;
    }
    const state: LatestState =
      change.type === "memoryRemoved"
        ? { ref: change.ref, version: change.version }
        : stateOf(change.memory, change.contentHash);
    states.set(state.ref, state);
    embeddedOnly.delete(state.ref);
  }
  if (embeddedOnly.size > 0)
    for (const [ref, stored] of await ledger.memories(tenant, [...embeddedOnly], call))
      states.set(ref, stateOf(stored.memory, stored.contentHash));
  return states;
}

function stateOf(memory: MemoryRecord, contentHash: ContentHash): LatestState {
  const { id: ref, version } = memory;
  return memory.state === "active" ? { ref, version, memory, contentHash } : { ref, version };
}
