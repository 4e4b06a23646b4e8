import type { Ref } from "@loci/domain";

/** Keeps the best `limit` of the rows it is offered: by score downwards, then by ref. A binary heap, the worst on top. */
export class BestRows<Row extends { readonly ref: Ref }> {
  readonly #limit: number;
  readonly #rows: Row[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(row: Row, score: number): void {
    const size = this.#rows.length;
    if (size < this.#limit) this.#rise(size, row, score);
    else if (isBetter(row, score, this.#rows[0] as Row, this.#scores[0] as number)) this.#sink(row, score);
  }

  /** The rows kept, best first. */
  sorted(): readonly Row[] {
    return this.#rows
      .map((row, index) => ({ row, score: this.#scores[index] as number }))
      .toSorted((left, right) => (isBetter(left.row, left.score, right.row, right.score) ? -1 : 1))
      .map(({ row }) => row);
  }

  #rise(place: number, row: Row, score: number): void {
    let child = place;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isBetter(this.#rows[parent] as Row, this.#scores[parent] as number, row, score)) break;
      this.#put(child, this.#rows[parent] as Row, this.#scores[parent] as number);
      child = parent;
    }
    this.#put(child, row, score);
  }

  #sink(row: Row, score: number): void {
    let parent = 0;
    for (;;) {
      const worst = this.#worseChild(parent);
      if (worst === undefined || isBetter(this.#rows[worst] as Row, this.#scores[worst] as number, row, score)) break;
      this.#put(parent, this.#rows[worst] as Row, this.#scores[worst] as number);
      parent = worst;
    }
    this.#put(parent, row, score);
  }

  #worseChild(parent: number): number | undefined {
    const left = 2 * parent + 1;
    const right = left + 1;
    const size = this.#rows.length;
    if (left >= size) return undefined;
    if (right >= size) return left;
    const [leftRow, rightRow] = [this.#rows[left] as Row, this.#rows[right] as Row];
    return isBetter(leftRow, this.#scores[left] as number, rightRow, this.#scores[right] as number) ? right : left;
  }

  #put(place: number, row: Row, score: number): void {
    this.#rows[place] = row;
    this.#scores[place] = score;
  }
}

function isBetter(row: { ref: Ref }, score: number, other: { ref: Ref }, otherScore: number): boolean {
  return score === otherScore ? row.ref < other.ref : score > otherScore;
}
