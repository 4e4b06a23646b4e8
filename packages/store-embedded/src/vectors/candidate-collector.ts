/** Rows that may be among the best, and what the score of each is at most. */
export interface Candidates {
  readonly rows: readonly number[];
  readonly uppers: readonly number[];
}

/**
 * Keeps every row that may be among the best `limit`, when all that is known of a score is that it lies between two
 * bounds: those whose upper bound reaches the limit-th best lower bound.
 */
export class CandidateCollector {
  readonly limit: number;
  /** A binary heap of the best lower bounds, the smallest on top. */
  readonly #lowers: number[] = [];
  readonly #rows: number[] = [];
  readonly #uppers: number[] = [];
  /** A row whose upper bound is below this is none of the best. */
  threshold: number = -Infinity;
  /** Rows that were compared for it so far, offered or not; kept by who compares. */
  compared = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether as many were offered as are asked for: until then every row is among the best. */
  get isFilled(): boolean {
    return this.threshold !== -Infinity;
  }

  offer(row: number, lower: number, upper: number): void {
    this.#rows.push(row);
    this.#uppers.push(upper);
    if (this.#lowers.length < this.limit) this.#rise(lower);
    else if (lower > (this.#lowers[0] as number)) this.#sink(lower);
    else return;
    if (this.#lowers.length === this.limit) this.threshold = this.#lowers[0] as number;
  }

  /** The rows that may be among the best, in the order offered, and what the score of each is at most. */
  candidates(): Candidates {
    const rows: number[] = [];
    const uppers: number[] = [];
    for (let index = 0; index < this.#rows.length; index++) {
      const upper = this.#uppers[index] as number;
      if (upper < this.threshold) continue;
      rows.push(this.#rows[index] as number);
      uppers.push(upper);
    }
    return { rows, uppers };
  }

  #rise(lower: number): void {
    const heap = this.#lowers;
    let child = heap.push(lower) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if ((heap[parent] as number) <= lower) break;
      heap[child] = heap[parent] as number;
      child = parent;
    }
    heap[child] = lower;
  }

  #sink(lower: number): void {
    const heap = this.#lowers;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= lower) break;
      heap[parent] = heap[child] as number;
      parent = child;
    }
    heap[parent] = lower;
  }
}
