import type { PieceEncoding } from "./piece-encoding.ts";
import type { PackedTokens } from "./packed-tokens.ts";

/** Above every rank: these bytes are no token. */
export const noRank = 0x7fffffff;

/**
 * The tokens of an encoding, to be found by their bytes.
 *
 * A hash table with open addressing in typed arrays: a look-up allocates nothing, and 200,000 tokens take 4.5 MB.
 */
export class Vocabulary implements PieceEncoding {
  /** Length of the longest token, in bytes. */
  readonly longest: number;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  /** rank + 1 by hash; 0 is an empty slot. */
  readonly #slots: Uint32Array;
  readonly #mask: number;
  /** By first byte × 256 + second byte: half of all look-ups are for two bytes. */
  readonly #pairRanks = new Int32Array(0x1_00_00).fill(noRank);

  constructor({ bytes, starts }: PackedTokens) {
    const count = starts.length - 1;
    const size = 2 ** Math.ceil(Math.log2(count * 2));
    this.#bytes = bytes;
    this.#starts = starts;
    this.#slots = new Uint32Array(size);
    this.#mask = size - 1;
    let longest = 0;
    for (let rank = 0; rank < count; rank++) {
      const start = starts[rank] as number;
      const end = starts[rank + 1] as number;
      if (end - start === 2) this.#pairRanks[pairIndex(bytes, start)] = rank;
      longest = Math.max(longest, end - start);
      this.#insert(rank, start, end);
    }
    this.longest = longest;
  }

  /** The rank of the token with these bytes, or `noRank`. Of two pairs the one with the lower rank is merged first. */
  rank(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > this.longest) return noRank;
    let slot = hash(bytes, start, end) & this.#mask;
    for (;;) {
      const rank = (this.#slots[slot] as number) - 1;
      if (rank < 0) return noRank;
      const at = this.#starts[rank] as number;
      if ((this.#starts[rank + 1] as number) - at === length) {
        let same = 0;
        while (same < length && this.#bytes[at + same] === bytes[start + same]) same++;
        if (same === length) return rank;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  /** Any two neighbours that together are a token may be merged, wherever they meet. */
  mergeRank(bytes: Uint8Array, start: number, _middle: number, end: number): number {
    return this.rank(bytes, start, end);
  }

  isOneToken(bytes: Uint8Array, length: number): boolean {
    return this.rank(bytes, 0, length) !== noRank;
  }

  /** The rank of the two bytes from `start`. */
  pairRank(bytes: Uint8Array, start: number): number {
    return this.#pairRanks[pairIndex(bytes, start)] as number;
  }

  #insert(rank: number, start: number, end: number): void {
    let slot = hash(this.#bytes, start, end) & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = rank + 1;
  }
}

function pairIndex(bytes: Uint8Array, start: number): number {
  return ((bytes[start] as number) << 8) | (bytes[start + 1] as number);
}

/** FNV-1a, its high bits folded into the low ones that the table uses. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let index = start; index < end; index++) value = Math.imul(value ^ (bytes[index] as number), 0x01000193);
  return value ^ (value >>> 15);
}
