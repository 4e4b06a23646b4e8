import type { CallOptions, MemoryId, TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";

/** So often a memory may have been replaced by one that was replaced in turn; what is behind that is not looked for. */
const mostReplaced = 16;

/**
 * What stands in the place of memories now: of each the last of those that took its place one after the other. Those of which
 * a replacing memory is gone are left out.
 *
 * @param ids of what took a place first
 */
export async function replacingMemories(
  ledger: Pick<Ledger, "memories">,
  tenant: TenantId,
  ids: readonly MemoryId[],
  call: CallOptions,
): Promise<ReadonlyMap<MemoryId, StoredMemory>> {
  const last = new Map<MemoryId, StoredMemory>();
  let asked = new Map<MemoryId, MemoryId>(ids.map((id) => [id, id]));
  for (let round = 0; asked.size > 0 && round < mostReplaced; round++) {
    const found = await ledger.memories(tenant, [...new Set(asked.values())], call);
    const further = new Map<MemoryId, MemoryId>();
    for (const [first, id] of asked) {
      const stored = found.get(id);
      if (stored?.memory.supersededBy !== undefined) further.set(first, stored.memory.supersededBy);
      else if (stored !== undefined) last.set(first, stored);
    }
    asked = further;
  }
  return last;
}
