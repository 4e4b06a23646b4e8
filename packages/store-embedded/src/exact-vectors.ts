import type { CallOptions, EmbeddingSpace, Ref, TenantId } from "@loci/domain";
import type { RowVersion } from "./sent-rows.ts";

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
