import { type EmbeddingSpaceId, type Memory, memoryView, type TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";

/** Stored versions as callers see them, in their order. */
export async function memoryViews(
  ledger: Ledger,
  tenant: TenantId,
  space: EmbeddingSpaceId,
  stored: readonly StoredMemory[],
): Promise<readonly Memory[]> {
  if (stored.length === 0) return [];
  const hashes = [...new Set(stored.map((version) => version.contentHash))];
  const embedded = await ledger.embedded(tenant, space, hashes);
  return stored.map((version) => memoryView(version, embedded.has(version.contentHash)));
}
