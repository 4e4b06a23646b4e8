/** The rows of a head that have one term, in the order in which they came; also those that were removed since. */
export class HeadPostings {
  readonly rows: number[] = [];
  /** How often the term stands in each of them. */
  readonly frequencies: number[] = [];
  /** Without those that were removed. */
  liveRows = 0;

  add(row: number, frequency: number): void {
    this.rows.push(row);
    this.frequencies.push(frequency);
    this.liveRows++;
  }
}
