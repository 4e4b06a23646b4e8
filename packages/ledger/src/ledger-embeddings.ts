import type { CallOptions, ContentHash, EmbeddingSpaceId, NonEmpty, TenantId } from "@loci/domain";
import type { StoredMemory } from "./stored-memory.ts";

/** Vectors of one text in one space: one, or one a chunk. Written with the change that needs them. */
export interface EmbeddingOfRecord {
  readonly space: EmbeddingSpaceId;
  readonly contentHash: ContentHash;
  /** Float32, of length 1. */
  readonly vectors: NonEmpty<Float32Array>;
}

/** Persistent key-value table behind the second layer of the embedding cache. Losing it costs time, never data. */
export interface EmbeddingCacheTable {
  get(tenant: TenantId, keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  set(tenant: TenantId, entries: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** The vectors of texts. */
export interface LedgerEmbeddings {
  /** Embeddings of record; hashes without one are absent. */
  embeddings(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<ContentHash, NonEmpty<Float32Array>>>;
  /** Which of the hashes have an embedding of record. */
  embedded(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlySet<ContentHash>>;
  /** Active memories whose current text has no embedding in the space, oldest change first. */
  withoutEmbedding(tenant: TenantId, space: EmbeddingSpaceId, limit: number): Promise<readonly StoredMemory[]>;
  /** Tenants that have such memories. */
  tenantsWithoutEmbeddings(space: EmbeddingSpaceId, call?: CallOptions): Promise<readonly TenantId[]>;

  readonly embeddingCache: EmbeddingCacheTable;
}
