import { rowsPerStep } from "./reading-pace.ts";

/** Rows of a first step, before any length is known: of the longest memories there are, two megabytes. */
const firstStep = 32;
/** UTF-16 units of JSON that take some milliseconds to read. */
const unitsPerStep = 524_288;

/** A row with the JSON that takes the time: a version's record or a resource's state. */
type ReadRow = { readonly record: string | null } | { readonly state: string | null };

/** How many rows are read at a time: a row may have a hundred bytes or a hundred thousand, and only reading some tells. */
export class StepSize {
  #rows = firstStep;

  /** For the next step. */
  get rows(): number {
    return this.#rows;
  }

  /** Cuts a list into steps, each as long as what was read before it asks for. */
  *cut<Element>(elements: readonly Element[]): Generator<readonly Element[]> {
    for (let start = 0; start < elements.length;) {
      const step = elements.slice(start, start + this.#rows);
      start += step.length;
      yield step;
    }
  }

  /** To be told of each step's rows. */
  adapt(rows: readonly ReadRow[]): void {
    let units = 0;
    for (const row of rows) units += ("record" in row ? row.record : row.state)?.length ?? 0;
    if (units > unitsPerStep) this.#rows = Math.max(1, this.#rows >> 1);
    else if (units <= unitsPerStep / 4) this.#rows = Math.min(rowsPerStep, 4 * this.#rows);
  }
}
