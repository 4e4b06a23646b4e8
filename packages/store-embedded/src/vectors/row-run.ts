/** Consecutive rows: row `from + index` has the vectors from `starts[from + index]` to the next start. */
export interface RowRun {
  readonly starts: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
  /** Whether it is known that every row has exactly one vector. */
  readonly hasOneEach: boolean;
  /** Added to a row to make the number it is collected under. */
  readonly base: number;
}
