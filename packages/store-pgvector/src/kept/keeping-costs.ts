/** Of a scope with so many rows, in microseconds of processor time, PostgreSQL's and ours together. */
export interface KeepingCosts {
  /** To read all rows once. */
  readonly reading: (rows: number) => number;
  /** Of a search in PostgreSQL, what is saved once the rows are kept. One for rows that lie apart looks at few. */
  readonly search: (rows: number, isApart: boolean | undefined) => number;
  /** To read some rows again that have changed. */
  readonly rereading: (changed: number) => number;
}

/** As measured with scopes of 100 to 10,000 texts of 15 words, a fiftieth of which lies apart: only the ratios of these count. */
export const textCosts: KeepingCosts = {
  reading: (rows) => 3_000 + 8 * rows,
  search: (rows, isApart) => (isApart === true ? 100 + 0.12 * rows : 400 + 0.5 * rows),
  rereading: (changed) => 20 * changed,
};

/** As measured with 256 dimensions, and what of it was for reading columns alone. */
export function vectorCosts(dimensions: number): KeepingCosts {
  return {
    reading: (rows) => 2_500 + (1 + 0.016 * dimensions) * rows,
    search: (rows, isApart) => (isApart === true ? 50 : 200 + (0.3 + 0.0009 * dimensions) * rows),
    rereading: (changed) => (4 + 0.05 * dimensions) * changed,
  };
}

/**
 * When a scope is to be kept: once its searches in PostgreSQL have cost as much as reading it does. Who waits so long never spends more
 * than twice what the best choice in hindsight does, whether the scope is never searched again or for ever. Where so much changes that
 * reading it again costs more than is saved, it is given up before as much was lost. Then it is four times at most, most of all in scopes
 * of a few rows, and a rule that does not know what comes can promise no less than three.
 */
export class KeepingAccount {
  readonly #costs: KeepingCosts;
  readonly #patience: number;
  #searches = 0;
  #searchesApart = 0;
  #lost = 0;

  /** @param patience how much of what reading costs is to be spent before. 0: it is read at once */
  constructor(costs: KeepingCosts, patience: number) {
    this.#costs = costs;
    this.#patience = patience;
  }

  /** A search was made in PostgreSQL. */
  searched(isApart: boolean | undefined): void {
    if (isApart === true) this.#searchesApart++;
    else this.#searches++;
  }

  isWorthReading(rows: number): boolean {
    const { reading, search } = this.#costs;
    const spent = this.#searches * search(rows, false) + this.#searchesApart * search(rows, true);
    return spent >= this.#patience * reading(rows);
  }

  /**
   * A search was made of what is kept, and rows that had changed were read again for it.
   *
   * @returns whether it is worth to go on
   */
  reread(rows: number, changed: number): boolean {
    const { reading, search, rereading } = this.#costs;
    const loss = rereading(changed) - search(rows, false);
    this.#lost = Math.max(0, this.#lost + loss);
    // The next may lose as much.
    return this.#lost + Math.max(0, loss) < Math.max(1, this.#patience) * reading(rows);
  }
}
