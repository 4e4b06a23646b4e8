import type { Ref, ScopeText, Version } from "@loci/domain";
import type { IndexFields } from "@loci/store";

/** A row as it is applied, logged and held until it goes into a segment. `Content` is what its index keeps of it. */
export interface IndexRow<Content> {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope: ScopeText;
  readonly fields: IndexFields;
  readonly content: Content;
}

/** Says that a row was deleted, so that no version up to this comes back. */
export interface Tombstone {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope?: undefined;
}

/** One change of an index, as it stands in the log. */
export type RowChange<Content> = IndexRow<Content> | Tombstone;
