import { packTokens } from "../packed-tokens.ts";
import type { PieceEncoding } from "../piece-encoding.ts";
import { noRank, Vocabulary } from "../vocabulary.ts";

/** Two tokens that may become one. */
export interface Merge {
  /** Index of the token they become. */
  readonly token: number;
  /** Length of the first of the two, in bytes. With the token it says which two they are. */
  readonly leftBytes: number;
}

/**
 * Byte pair encoding by a list of merges. Other than in a {@link Vocabulary}, two neighbours are merged only if the list
 * names these two: that they make up a token is not enough.
 */
export class MergeTable implements PieceEncoding {
  readonly #vocabulary: Vocabulary;
  /** The merges that make token t are those at `#offsets[t]` up to `#offsets[t + 1]`. */
  readonly #offsets: Uint32Array;
  readonly #leftBytes: Uint32Array;
  readonly #ranks: Uint32Array;
  /** 1 for each token that its own bytes are encoded as. */
  readonly #isEncodedWhole: Uint8Array;
  readonly #pairRanks = new Int32Array(0x1_00_00).fill(noRank);

  /**
   * @param tokens in any order
   * @param merges by rank
   * @param ignoreMerges a piece that is a token stays one, whether or not the merges lead to it
   */
  constructor(tokens: readonly Uint8Array[], merges: readonly Merge[], ignoreMerges: boolean) {
    this.#vocabulary = new Vocabulary(packTokens(tokens));
    this.#isEncodedWhole = new Uint8Array(tokens.length).fill(ignoreMerges ? 1 : 0);
    this.#offsets = new Uint32Array(tokens.length + 1);
    for (const { token } of merges) this.#offsets[token + 1] = (this.#offsets[token + 1] as number) + 1;
    for (let token = 0; token < tokens.length; token++)
      this.#offsets[token + 1] = (this.#offsets[token + 1] as number) + (this.#offsets[token] as number);
    this.#leftBytes = new Uint32Array(merges.length);
    this.#ranks = new Uint32Array(merges.length);
    const filled = this.#offsets.slice();
    for (const [rank, { token, leftBytes }] of merges.entries()) {
      const at = filled[token] as number;
      filled[token] = at + 1;
      this.#leftBytes[at] = leftBytes;
      this.#ranks[at] = rank;
      const bytes = tokens[token] as Uint8Array;
      if (bytes.length === 2) this.#pairRanks[((bytes[0] as number) << 8) | (bytes[1] as number)] = rank;
    }
  }

  pairRank(bytes: Uint8Array, start: number): number {
    return this.#pairRanks[((bytes[start] as number) << 8) | (bytes[start + 1] as number)] as number;
  }

  mergeRank(bytes: Uint8Array, start: number, middle: number, end: number): number {
    const token = this.#vocabulary.rank(bytes, start, end);
    if (token === noRank) return noRank;
    const last = this.#offsets[token + 1] as number;
    for (let at = this.#offsets[token] as number; at < last; at++)
      if (this.#leftBytes[at] === middle - start) return this.#ranks[at] as number;
    return noRank;
  }

  isOneToken(bytes: Uint8Array, length: number): boolean {
    const token = this.#vocabulary.rank(bytes, 0, length);
    return token !== noRank && this.#isEncodedWhole[token] === 1;
  }

  learnOneToken(bytes: Uint8Array, length: number): void {
    const token = this.#vocabulary.rank(bytes, 0, length);
    if (token !== noRank) this.#isEncodedWhole[token] = 1;
  }
}
