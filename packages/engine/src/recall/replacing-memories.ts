import type { CallOptions, MemoryId, TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";

/** So often a memory may have been replaced by one that was replaced in turn; what is behind that is not looked for. */
const mostReplaced = 16;

/**
 * What holds in the place of memories: of those that took a place one after the other the first that does. There is nothing for those of
 * which none does.
 *
 * @param ids of what took a place first
 */
export async function replacingMemories(
  ledger: Pick<Ledger, "memories">,
  tenant: TenantId,
  { ids, holds }: { readonly ids: readonly MemoryId[]; readonly holds: (stored: StoredMemory) => boolean },
  call: CallOptions,
): Promise<ReadonlyMap<MemoryId, StoredMemory>> {
  const holding = new Map<MemoryId, StoredMemory>();
  let asked = new Map<MemoryId, MemoryId>(ids.map((id) => [id, id]));
  for (let round = 0; asked.size > 0 && round < mostReplaced; round++) {
    const found = await ledger.memories(tenant, [...new Set(asked.values())], call);
    const further = new Map<MemoryId, MemoryId>();
    for (const [first, id] of asked) {
      const stored = found.get(id);
      if (stored === undefined) continue;
      if (holds(stored)) holding.set(first, stored);
      else if (stored.memory.supersededBy !== undefined) further.set(first, stored.memory.supersededBy);
    }
    asked = further;
  }
  return holding;
}
