import { type EmbeddingSpaceId, etagOf, type Memory, type TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";

/** A stored version as callers see it. */
export function memoryView(stored: StoredMemory, embedded: boolean): Memory {
  const { memory, recordedAt, usage } = stored;
  return {
    ...memory,
    etag: etagOf(memory.id, memory.version),
    recordedAt,
    usage,
    embedding: embedded ? "ready" : "pending",
  };
}

/** The same for many, in their order. */
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
