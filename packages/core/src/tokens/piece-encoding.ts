/** What byte pair encoding needs to know to make the tokens of one piece of text. */
export interface PieceEncoding {
  /** The rank of merging the two bytes from `start`, or `noRank`. */
  pairRank(bytes: Uint8Array, start: number): number;
  /** The rank of merging the token from `start` to `middle` with the one from there to `end`, or `noRank`. */
  mergeRank(bytes: Uint8Array, start: number, middle: number, end: number): number;
  /** True when the first `length` bytes are known to be one token, so that nothing has to be merged. */
  isOneToken(bytes: Uint8Array, length: number): boolean;
  /** Told when merging made one token of the first `length` bytes. */
  learnOneToken?(bytes: Uint8Array, length: number): void;
}
