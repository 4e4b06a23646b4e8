import { type ContentHash, type EmbeddingSpaceId, LociError, type TenantId } from "@loci/domain";
import type { EmbeddingOfRecord, StoredMemory } from "@loci/ledger";
import type { TextEmbedding } from "./text-embedding.ts";

/** Embeds the texts of versions, each text once. @throws LociError `EMBEDDER_UNAVAILABLE`, `INVALID_VECTOR` */
export async function embedStored(
  { embedding, space }: { readonly embedding: TextEmbedding; readonly space: EmbeddingSpaceId },
  tenant: TenantId,
  stored: readonly StoredMemory[],
  signal: AbortSignal,
): Promise<readonly EmbeddingOfRecord[]> {
  const texts = new Map<ContentHash, string>(stored.map(({ contentHash, memory }) => [contentHash, memory.text]));
  const vectors = await embedding.embedDocuments(tenant, [...texts.values()], signal);
  return [...texts.keys()].map((contentHash, index) => {
    const ofText = vectors[index];
    if (ofText === undefined) throw new LociError("INTERNAL", { message: "A text was left without vectors." });
    return { space, contentHash, vectors: ofText };
  });
}
