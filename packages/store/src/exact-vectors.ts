import type { CallOptions, EmbeddingSpace, Ref, TenantId, Version } from "@loci/domain";

/** A row as it was at a version. */
export interface RowVersion {
  readonly ref: Ref;
  readonly version: Version;
}

export interface ExactVectorsRequest {
  readonly tenant: TenantId;
  readonly space: EmbeddingSpace;
  /** Distinct refs, each with the version whose vectors are wanted. */
  readonly rows: readonly RowVersion[];
}

/**
 * Gives the float32 vectors of rows: the very ones they were applied with, from where they are kept for good. Rows whose
 * vectors are not to be had any more are left out, and then not found by search.
 */
export type ExactVectors = (
  request: ExactVectorsRequest,
  call?: CallOptions,
) => Promise<ReadonlyMap<Ref, readonly Float32Array[]>>;
