import type { PieceEncoding } from "./piece-encoding.ts";
import { noRank } from "./vocabulary.ts";

/**
 * Longer pieces are merged window by window, because merging takes time in the square of the length: the shorter, the faster, as long as
 * few windows are too short for the tokens where they meet.
 */
const windowBytes = 64;

/** The end of a window says nothing: what follows it could still change its last tokens. */
const uncertainBytes = 16;

/**
 * Byte pair encoding of one piece of text: of all neighbours that together are a token, the pair with the lowest rank is
 * merged first (the leftmost of equals), until no pair is left.
 *
 * A piece of any length is encoded exactly, in time proportional to its length. That rests on a property of byte pair
 * encoding: a row of tokens is the encoding of its bytes if each two neighbours are the encoding of theirs. Windows are
 * therefore encoded on their own, and only where two of them meet is there something to check.
 */
export class BytePairMerge {
  /** Where the tokens of the last piece begin, in bytes, and at the end its length. Valid up to the count returned. */
  boundaries: Int32Array = new Int32Array(windowBytes + 1);
  readonly #encoding: PieceEncoding;
  #starts = new Int32Array(windowBytes + 1);
  #ranks = new Int32Array(windowBytes + 1);

  constructor(encoding: PieceEncoding) {
    this.#encoding = encoding;
  }

  /** The number of tokens of the first `length` bytes. Above `limit` it may stop at some number above that. */
  encode(bytes: Uint8Array, length: number, limit: number): number {
    if (length > windowBytes) return this.#encodeLong(bytes, length, limit);
    const count = this.#merge(bytes, 0, length);
    this.boundaries = this.#starts;
    return count;
  }

  #encodeLong(bytes: Uint8Array, length: number, limit: number): number {
    const boundaries = [0];
    let size = windowBytes;
    let window: EncodedWindow | undefined;
    let from = 0;
    while (from < length && boundaries.length <= limit + 1) {
      const end = Math.min(from + size, length);
      // In a run of one character or of one word all windows are the same.
      const repeats = window?.size === end - from && sameBytes(bytes, window.from, from, window.size);
      if (window === undefined || !repeats) window = this.#encodeWindow(bytes, from, end);
      const before = boundaries.at(-2);
      if (before !== undefined && !(repeats && window.meetsItself)) {
        if (this.#areNeighbours(bytes, before, from, from + (window.starts[1] as number))) {
          window.meetsItself = repeats;
        } else {
          boundaries.pop();
          from = before;
          // Never made smaller again in this piece, so that in the end one window reaches to where the piece ends.
          size *= 2;
          continue;
        }
      }
      const taken = tokensWithin(window.starts, end === length ? window.size : window.size - uncertainBytes);
      for (let index = 1; index <= taken; index++) boundaries.push(from + (window.starts[index] as number));
      from += window.starts[taken] as number;
    }
    this.boundaries = Int32Array.from(boundaries);
    return boundaries.length - 1;
  }

  #encodeWindow(bytes: Uint8Array, from: number, end: number): EncodedWindow {
    const count = this.#merge(bytes, from, end);
    return { from, size: end - from, starts: this.#starts.slice(0, count + 1), meetsItself: false };
  }

  /** True when the bytes from `start` to `end` are encoded as two tokens that meet in the middle. */
  #areNeighbours(bytes: Uint8Array, start: number, middle: number, end: number): boolean {
    return this.#merge(bytes, start, end) === 2 && this.#starts[1] === middle - start;
  }

  /** Encodes the bytes from `from` to `end`. Leaves in `#starts` where the tokens begin, counted from `from`. */
  #merge(bytes: Uint8Array, from: number, end: number): number {
    const length = end - from;
    if (this.#starts.length <= length) {
      this.#starts = new Int32Array(length + 1);
      this.#ranks = new Int32Array(length + 1);
    }
    const encoding = this.#encoding;
    const starts = this.#starts;
    // ranks[n] is that of token n and the one after it, taken together.
    const ranks = this.#ranks;
    for (let index = 0; index < length; index++) {
      starts[index] = index;
      ranks[index] = encoding.pairRank(bytes, from + index);
    }
    starts[length] = length;
    ranks[length - 1] = noRank;
    let count = length;
    for (;;) {
      let lowest = noRank;
      let at = 0;
      for (let index = 0; index < count; index++) {
        const rank = ranks[index] as number;
        if (rank < lowest) {
          lowest = rank;
          at = index;
        }
      }
      if (lowest === noRank) return count;
      count--;
      // For so few elements a loop is faster than `copyWithin`.
      for (let index = at + 1; index < count; index++) {
        starts[index] = starts[index + 1] as number;
        ranks[index] = ranks[index + 1] as number;
      }
      starts[count] = length;
      const start = from + (starts[at] as number);
      const next = from + (starts[at + 1] as number);
      ranks[at] = at + 1 < count ? encoding.mergeRank(bytes, start, next, from + (starts[at + 2] as number)) : noRank;
      if (at > 0) ranks[at - 1] = encoding.mergeRank(bytes, from + (starts[at - 1] as number), start, next);
    }
  }
}

interface EncodedWindow {
  readonly from: number;
  readonly size: number;
  /** Where its tokens begin, counted from `from`, and at the end its size. */
  readonly starts: Int32Array;
  /** Known to follow its own last taken token, so that a row of the same windows is checked once. */
  meetsItself: boolean;
}

/** How many tokens end at or before a position: at least one. */
function tokensWithin(starts: Int32Array, position: number): number {
  let taken = 1;
  while (taken + 1 < starts.length && (starts[taken + 1] as number) <= position) taken++;
  return taken;
}

function sameBytes(bytes: Uint8Array, left: number, right: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (bytes[left + index] !== bytes[right + index]) return false;
  return true;
}
