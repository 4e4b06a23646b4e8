import type { MergePart, PayloadReader } from "../segments/payload.ts";
import { bytesOf, sectionOf, type Sections, uint32Section } from "../storage/section-file.ts";
import { TermTable } from "./term-table.ts";

/** Where a term's rows stand in `rows` and `frequencies`. */
export interface PostingRange {
  readonly start: number;
  readonly end: number;
}

/** All postings of a segment, term by term. */
export interface Postings {
  readonly terms: TermTable;
  /** Where each term's rows begin. One longer than there are terms. */
  readonly starts: Uint32Array;
  /** Rows with the term, ascending. */
  readonly rows: Uint32Array;
  /** How often the term stands in the row. Bytes, when all of them fit. */
  readonly frequencies: Uint8Array | Uint32Array;
}

const nothing: PostingRange = { start: 0, end: 0 };

/** Postings that are gone through before halving. */
const mostSteps = 24;

/** Terms whose place is kept once it was found. */
const maxKnownTerms = 1024;

/** The words of a segment's rows. */
export class TextPayload {
  /** Of each row, in terms. */
  readonly lengths: Uint32Array;
  readonly postings: Postings;
  /** Sum of the lengths of live rows. */
  #liveLength = 0;
  /** A recall looks up each of its terms several times. */
  readonly #known = new Map<string, PostingRange>();

  constructor(lengths: Uint32Array, postings: Postings) {
    this.lengths = lengths;
    this.postings = postings;
    for (const length of lengths) this.#liveLength += length;
  }

  get liveLength(): number {
    return this.#liveLength;
  }

  rowDied(row: number): void {
    this.#liveLength -= this.lengths[row] as number;
  }

  range(term: string): PostingRange {
    let range = this.#known.get(term);
    if (range !== undefined) return range;
    const { terms, starts } = this.postings;
    const place = terms.find(term);
    range = place < 0 ? nothing : { start: starts[place] as number, end: starts[place + 1] as number };
    if (this.#known.size === maxKnownTerms) this.#known.clear();
    this.#known.set(term, range);
    return range;
  }

  /** The first posting of a range whose row is at least `row`. */
  firstAtLeast({ start, end }: PostingRange, row: number): number {
    const { rows } = this.postings;
    let [low, high] = [start, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((rows[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Writes how often a term stands in each of some rows; where it does not, nothing.
   *
   * @param asked rows, ascending
   * @param places of the rows, in the same order: the answer goes to `found[place × stride + offset]`
   */
  writeFrequencies(
    { start, end }: PostingRange,
    asked: Uint32Array,
    places: readonly number[],
    found: Float64Array,
    offset: number,
    stride: number,
  ): void {
    const { rows, frequencies } = this.postings;
    let at = start;
    for (let index = 0; index < asked.length; index++) {
      const row = asked[index] as number;
      // The next is near as a rule: step by step at first, then by halving.
      const near = Math.min(end, at + mostSteps);
      while (at < near && (rows[at] as number) < row) at++;
      if (at === near) at = this.firstAtLeast({ start: at, end }, row);
      if (at === end) return;
      if (rows[at] === row) found[(places[index] as number) * stride + offset] = frequencies[at] as number;
    }
  }

  sections(): Sections {
    const { terms, starts, rows, frequencies } = this.postings;
    return new Map<string, Uint8Array>([
      ["lengths", bytesOf(this.lengths)],
      ...terms.sections(),
      ["postingStarts", bytesOf(starts)],
      ["postingRows", bytesOf(rows)],
      [frequencies instanceof Uint8Array ? "frequencies8" : "frequencies32", bytesOf(frequencies)],
    ]);
  }

  static reader(): PayloadReader<TextPayload> {
    return {
      memory: () => undefined,
      finish: (sections, path) =>
        new TextPayload(uint32Section(sections, "lengths", path), {
          terms: TermTable.read(sections, path),
          starts: uint32Section(sections, "postingStarts", path),
          rows: uint32Section(sections, "postingRows", path),
          frequencies: sections.has("frequencies8")
            ? sectionOf(sections, "frequencies8", path)
            : uint32Section(sections, "frequencies32", path),
        }),
    };
  }
}

export type TextPart = MergePart<TextPayload>;
