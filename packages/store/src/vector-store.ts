import type {
  Branded,
  CallOptions,
  EmbeddingSpace,
  Filter,
  FilterOperator,
  NonEmpty,
  Ref,
  Scope,
  TenantId,
  Version,
} from "@loci/domain";
import type { Projection } from "./projection.ts";

/** Names a collection inside a store: letters, digits, `-` and `_`, 1 to 64. */
export type CollectionId = Branded<string, "CollectionId">;

/** What a store can do. Chooses the conformance tests and steers the engine; what is not declared rejects. */
export interface VectorStoreCapabilities {
  /**
   * `exact`: every cosine is `cosineOfUnitVectors` to the last bit, and no better row is missed, at least up to a number of
   * selected rows that the store documents.
   */
  readonly similarity: "exact" | "approximate";
  /** Comparisons that `where` may hold. As with the limits below, more is rejected with `UNSUPPORTED_OPERATION`. */
  readonly filterOperators: readonly FilterOperator[];
  /** `immediate`: visible when `apply` resolves. `eventual`: when `checkpoint` has come that far. */
  readonly visibility: "immediate" | "eventual";
  /** False when everything is gone after `close`, so that the engine builds it anew from the ledger. */
  readonly durable: boolean;
  readonly maxDimensions: number;
  /** Most candidates one search can be asked for. */
  readonly maxLimit: number;
}

/** A place that holds vector collections. */
export interface VectorStore {
  readonly name: string;
  readonly capabilities: VectorStoreCapabilities;
  /**
   * Opens a collection, making it when it is new. Several can be open at once, for online re-embedding.
   *
   * @throws LociError `EMBEDDING_SPACE_MISMATCH` when it was made for another model, version or dimension
   */
  openCollection(id: CollectionId, space: EmbeddingSpace, call?: CallOptions): Promise<VectorCollection>;
  /** Removes a collection and all it holds. One that does not exist is no error. */
  dropCollection(id: CollectionId, call?: CallOptions): Promise<void>;
  close(): Promise<void>;
}

export interface VectorSearch {
  readonly tenant: TenantId;
  readonly scopes: NonEmpty<Scope>;
  /** Query vectors of length 1 (or all zeros), in the collection's space. */
  readonly vectors: NonEmpty<Float32Array>;
  readonly where?: Filter | undefined;
  /** The best so many of each query vector are among the hits; fewer only when there are no more. */
  readonly limit: number;
  /**
   * True when upper bounds of the cosines will do, so that a store that keeps vectors coarsely need not read the exact
   * ones: the caller reads those of the few rows that matter. Such a store may then return more rows than asked for.
   * Others answer as they do without it. Default false.
   */
  readonly bounds?: boolean | undefined;
}

export interface VectorHit {
  readonly ref: Ref;
  readonly version: Version;
  /**
   * Cosine with each query vector, in their order; of a row with several vectors the best. `undefined` where the store
   * does not know it, which only an approximate one may answer.
   */
  readonly cosines: readonly (number | undefined)[];
  /** True when the cosines are only upper bounds, which is answered to `bounds` alone. */
  readonly isBound?: boolean | undefined;
}

/** Rows of one embedding space, found by nearness. */
export interface VectorCollection extends Projection {
  /**
   * Ordered by the best cosine, then by ref in code units; with `bounds` in any order. Rows without vectors are never
   * found. An exact store leaves out no row whose cosine with a query vector is above the `limit`-th best among the hits.
   *
   * @throws LociError `INVALID_VECTOR`, `SCOPE_REQUIRED`, `INVALID_FILTER`; `COLLECTION_NOT_FOUND` once it was dropped
   */
  search(request: VectorSearch, call?: CallOptions): Promise<readonly VectorHit[]>;
  /** Rows held for a tenant. */
  count(tenant: TenantId): Promise<number>;
}
