import type { Filter } from "@loci/domain";
import { type IndexFields, matchesFilter } from "@loci/store";

/** The fields of a row by its number. Numbers begin at 0, and one stands for one row for good. */
export type FieldsOf = (number: number) => IndexFields;

/** What a filter says of numbered rows. */
export interface NumberedFilter {
  passes(number: number): boolean;
  /** Whether it is known of all of these that they do not pass. Looks no further than to the first of which it is not. */
  failsAll(numbers: Uint32Array): boolean;
}

const unknown = 0;
const passes = 1;
const fails = 2;

/** Recalls ask with few filters again and again: for memories, and for procedures. */
const maxFilters = 8;

/** What filters said of numbered rows, for the filters that were asked with last: a look instead of a comparison. */
export class FilterVerdicts {
  readonly #fieldsOf: FieldsOf;
  /** By filter, the one that was asked with the longest ago first. */
  readonly #verdicts = new Map<string, Uint8Array>();

  constructor(fieldsOf: FieldsOf) {
    this.#fieldsOf = fieldsOf;
  }

  /**
   * What a filter says. Good until rows are numbered anew.
   *
   * @param rows how many numbers there are
   */
  of(filter: Filter, rows: number): NumberedFilter {
    const key = JSON.stringify(filter);
    // Several numbers are written as `null`.
    if (key.includes("null"))
      return { passes: (number) => matchesFilter(filter, this.#fieldsOf(number)), failsAll: () => false };
    return new KeptVerdicts(filter, this.#fieldsOf, this.#kept(key, rows));
  }

  /** To be called when rows are numbered anew. */
  clear(): void {
    this.#verdicts.clear();
  }

  #kept(key: string, rows: number): Uint8Array {
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

class KeptVerdicts implements NumberedFilter {
  readonly #filter: Filter;
  readonly #fieldsOf: FieldsOf;
  readonly #verdicts: Uint8Array;

  constructor(filter: Filter, fieldsOf: FieldsOf, verdicts: Uint8Array) {
    this.#filter = filter;
    this.#fieldsOf = fieldsOf;
    this.#verdicts = verdicts;
  }

  passes(number: number): boolean {
    const known = this.#verdicts[number] ?? unknown;
    if (known !== unknown) return known === passes;
    const isMatch = matchesFilter(this.#filter, this.#fieldsOf(number));
    this.#verdicts[number] = isMatch ? passes : fails;
    return isMatch;
  }

  failsAll(numbers: Uint32Array): boolean {
    for (let at = 0; at < numbers.length; at++) if (this.#verdicts[numbers[at] as number] !== fails) return false;
    return true;
  }
}
