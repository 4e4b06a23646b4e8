import type { Filter } from "@loci/domain";
import { type IndexFields, matchesFilter } from "@loci/store";

/** Whether a row passes a filter. Row numbers begin at 0, and a number stands for one row for good. */
export type NumberedTest = (number: number, fields: IndexFields) => boolean;

const unknown = 0;
const passes = 1;
const fails = 2;

/** Recalls ask with few filters again and again: for memories, and for procedures. */
const maxFilters = 8;

/** What filters said of numbered rows, for the filters that were asked with last: a look instead of a comparison. */
export class FilterVerdicts {
  /** By filter, the one that was asked with the longest ago first. */
  readonly #verdicts = new Map<string, Uint8Array>();

  /**
   * The test of a filter. Good until rows are numbered anew.
   *
   * @param rows how many numbers there are
   */
  testOf(filter: Filter, rows: number): NumberedTest {
    const key = JSON.stringify(filter);
    // Several numbers are written as `null`.
    if (key.includes("null")) return (_, fields) => matchesFilter(filter, fields);
    const verdicts = this.#of(key, rows);
    return (number, fields) => {
      const known = verdicts[number] ?? unknown;
      if (known !== unknown) return known === passes;
      const isMatch = matchesFilter(filter, fields);
      verdicts[number] = isMatch ? passes : fails;
      return isMatch;
    };
  }

  /** To be called when rows are numbered anew. */
  clear(): void {
    this.#verdicts.clear();
  }

  #of(key: string, rows: number): Uint8Array {
    let verdicts = this.#verdicts.get(key);
    this.#verdicts.delete(key);
    if (verdicts === undefined) verdicts = new Uint8Array(rows);
    else if (verdicts.length < rows) {
      const grown = new Uint8Array(2 * rows);
      grown.set(verdicts);
      verdicts = grown;
    }
    this.#verdicts.set(key, verdicts);
    if (this.#verdicts.size > maxFilters)
      for (const oldest of this.#verdicts.keys()) if (this.#verdicts.delete(oldest)) break;
    return verdicts;
  }
}
