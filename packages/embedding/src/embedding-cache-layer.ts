import type { TenantId } from "@loci/domain";

/**
 * A persistent layer of the embedding cache. Losing it costs time, never data. Keys are hashes that no two tenants have in
 * common; the tenant comes along so that a tenant's entries can be removed.
 */
export interface EmbeddingCacheLayer {
  /** The vectors it has; keys without one are absent. */
  get(tenant: TenantId, keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  set(tenant: TenantId, entries: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** Where the first layer is kept from one run to the next: a file, a row, an object. */
export interface EmbeddingCacheSnapshot {
  /** The bytes last written, or `undefined` when there are none. */
  read(): Promise<Uint8Array | undefined>;
  write(bytes: Uint8Array): Promise<void>;
}

/** How often each layer answered, since the cache was made. */
export interface EmbeddingCacheStatistics {
  /** Texts asked for: the sum of the next four, once nothing is running, has failed or was cancelled. */
  readonly requested: number;
  /** Answered by the first layer, in process. */
  readonly firstLayer: number;
  /** Asked for twice at the same time: answered by the other's work. */
  readonly shared: number;
  /** Answered by the second layer. */
  readonly secondLayer: number;
  /** Embedded. */
  readonly embedded: number;
  /** Calls of the embedder. */
  readonly calls: number;
  /** Times the second layer failed, was too slow or answered with something that is no vector of the space. */
  readonly secondLayerFailures: number;
  /** Entries in the first layer now. */
  readonly entries: number;
}
