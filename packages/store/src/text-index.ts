import type {
  Bm25Statistics,
  CallOptions,
  Filter,
  NonEmpty,
  Ref,
  Scope,
  Sequence,
  TenantId,
  Version,
} from "@loci/domain";
import type { Projection } from "./projection.ts";

export interface TextSearch {
  readonly tenant: TenantId;
  readonly scopes: NonEmpty<Scope>;
  /** Distinct terms from core's analyser. A row with any of them is a candidate. */
  readonly terms: NonEmpty<string>;
  readonly where?: Filter | undefined;
  /** The best so many by `Bm25`; fewer only when there are no more. */
  readonly limit: number;
  /**
   * The numbers to rank by, document frequencies in the order of `terms`. Default: the index's own. The engine gives
   * those that hold once every waiting change is applied, so that an index that is behind ranks as one that is not.
   */
  readonly statistics?: Bm25Statistics | undefined;
}

export interface TextHit {
  readonly ref: Ref;
  readonly version: Version;
  /** Terms in the row, repetitions counted. */
  readonly length: number;
  /** How often each asked-for term stands in the row, in the order of the request. */
  readonly frequencies: readonly number[];
}

/** A tenant's numbers that BM25 needs, over its live rows in all scopes. */
export interface TextStatistics extends Bm25Statistics {
  /** All changes up to here are in the numbers, as `checkpoint` would have said before they were read. */
  readonly checkpoint: Sequence;
}

/** Finds rows by their words. Scores are made in core from what it returns, so they do not depend on the index. */
export interface TextIndex extends Projection {
  readonly name: string;
  /** False when everything is gone after `close`, so that the engine builds it anew from the ledger. */
  readonly durable: boolean;
  /** Ordered as BM25 would, ties by ref; an index that ranks differently may only miss rows at the end. */
  search(request: TextSearch, call?: CallOptions): Promise<readonly TextHit[]>;
  /** The same numbers for given rows; refs it does not hold are left out. */
  frequencies(
    tenant: TenantId,
    refs: readonly Ref[],
    terms: readonly string[],
    call?: CallOptions,
  ): Promise<readonly TextHit[]>;
  statistics(tenant: TenantId, terms: readonly string[], call?: CallOptions): Promise<TextStatistics>;
  close(): Promise<void>;
}
