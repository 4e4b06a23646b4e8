import type { PackedRefs } from "../segments/packed-refs.ts";

/** Where texts are found that a search looks through: the head, or a segment. Its entries are numbered. */
export interface TextSource {
  readonly refs: PackedRefs;
  /** Of each entry, in terms. */
  readonly lengths: ArrayLike<number>;
  /**
   * Writes how often the terms stand in some entries.
   *
   * @param places of the entries in `frequencies`: those of the first begin at `places[0] * terms.length`
   */
  writeFrequencies(
    terms: readonly string[],
    entries: readonly number[],
    places: readonly number[],
    frequencies: Float64Array,
  ): void;
}
