import type { PackedRefs } from "../segments/packed-refs.ts";
import type { PostingRange, TextPayload } from "./text-payload.ts";
import type { TextSource } from "./text-source.ts";

/** The texts of a segment, and where in it the terms of a search stand. */
export class SearchedSegment implements TextSource {
  readonly refs: PackedRefs;
  readonly payload: TextPayload;
  /** In the order of the terms. */
  readonly ranges: readonly PostingRange[];

  constructor(
    { refs, payload }: { readonly refs: PackedRefs; readonly payload: TextPayload },
    terms: readonly string[],
  ) {
    this.refs = refs;
    this.payload = payload;
    this.ranges = terms.map((term) => payload.range(term));
  }

  get lengths(): Uint32Array {
    return this.payload.lengths;
  }

  /** @param terms those of the search */
  writeFrequencies(
    terms: readonly string[],
    entries: readonly number[],
    places: readonly number[],
    frequencies: Float64Array,
  ): void {
    const ascending = Uint32Array.from(entries.keys()).toSorted(
      (left, right) => (entries[left] as number) - (entries[right] as number),
    );
    const asked = ascending.map((index) => entries[index] as number);
    const placesAsked = Array.from(ascending, (index) => places[index] as number);
    for (let term = 0; term < terms.length; term++)
      this.payload.writeFrequencies(
        this.ranges[term] as PostingRange,
        asked,
        placesAsked,
        frequencies,
        term,
        terms.length,
      );
  }
}
