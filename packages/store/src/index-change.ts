import type { Ref, Scope, Version } from "@loci/domain";

/** The fields a filter can ask for, by filter name (`category`, `tags`, `metadata.NAME`, …). Absent ones are left out. */
export type IndexFields = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** How often each term stands in a text, as core's analyser made them. */
export type TermFrequencies = ReadonlyMap<string, number>;

/** A row comes to be or is replaced. */
export interface IndexUpsert {
  readonly type: "upsert";
  readonly ref: Ref;
  readonly version: Version;
  readonly scope: Scope;
  readonly fields: IndexFields;
  /**
   * Float32 of length 1, one a chunk; empty when the memory has no vector (yet). All zeros, as embedders answer for text
   * without a known word, is a vector too: its cosine with everything is 0. Text indexes ignore vectors.
   */
  readonly vectors: readonly Float32Array[];
  /** Vector collections ignore it. */
  readonly terms: TermFrequencies;
}

/** A row goes. */
export interface IndexDelete {
  readonly type: "delete";
  readonly ref: Ref;
  /** Of the change that removed it: later versions of the row are not deleted by it, earlier ones never come back. */
  readonly version: Version;
}

/**
 * What a drainer hands to an index. An older version never replaces a newer one, and applying a change again changes
 * nothing, so that a drainer may repeat itself after a crash.
 */
export type IndexChange = IndexUpsert | IndexDelete;
