/** Scores of neighbouring rows, added up term by term. Used for one stretch of rows after the other, and empty between. */
export class RowScores {
  #scores = new Float64Array(0);
  #hasScore = new Uint8Array(0);
  #rows = new Int32Array(0);
  #count = 0;

  /** Makes room for so many rows. */
  reserve(rows: number): void {
    if (rows <= this.#scores.length) return;
    const capacity = 2 ** Math.ceil(Math.log2(rows));
    this.#scores = new Float64Array(capacity);
    this.#hasScore = new Uint8Array(capacity);
    this.#rows = new Int32Array(capacity);
  }

  /** @param row its place in the stretch */
  add(row: number, score: number): void {
    if (this.#hasScore[row] === 0) {
      this.#hasScore[row] = 1;
      this.#rows[this.#count++] = row;
    }
    this.#scores[row] = (this.#scores[row] as number) + score;
  }

  /** Gives every row that has a score, in the order of their first terms, and forgets them. */
  take(each: (row: number, score: number) => void): void {
    for (let index = 0; index < this.#count; index++) {
      const row = this.#rows[index] as number;
      each(row, this.#scores[row] as number);
      this.#scores[row] = 0;
      this.#hasScore[row] = 0;
    }
    this.#count = 0;
  }
}
