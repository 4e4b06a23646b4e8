import type { Ref } from "@loci/domain";
import type { TextHit } from "@loci/store";

/** What a search has found out about a row. What it has not is left out. */
export interface FoundRow {
  readonly ref: Ref;
  readonly version: number;
  /** Cosine with each query vector, or what it is at most. */
  readonly cosines?: readonly (number | undefined)[] | undefined;
  /** True when it was not found by nearness, and `cosines` is what those of such rows are at most. */
  readonly isUnfound?: boolean | undefined;
  /** What the text index says of it, for all the terms of the question. */
  readonly words?: TextHit | undefined;
}

export interface FoundRows {
  /** Each once, in any order. */
  readonly rows: readonly FoundRow[];
  /** True when a higher limit would find nothing more. */
  readonly isExhausted: boolean;
  /**
   * What the cosines of a selected row that is not there, or of which no cosine is known, are at most; empty when it has no
   * vector. `undefined` where that cannot be told.
   */
  readonly unfoundCosines?: readonly number[] | undefined;
}
