import type { Filter, FilterComparison } from "@loci/domain";
import { type IndexFields, matchesFilter } from "@loci/store";
import { bytesOf, jsonSection, type Sections, uint32Section } from "../storage/section-file.ts";

type FieldValue = IndexFields[string];

/** With no more distinct values than this all of them are asked first: a segment that has none is not looked at. */
const mostAskedAtOnce = 64;

/** Answers whether a row of a segment passes a filter. */
export type RowTest = (row: number) => boolean;

/**
 * The filterable fields of a segment's rows: for every field a dictionary of its distinct values and a code a row, 0 where
 * the row does not have the field. What a comparison says of a value is asked once a value, of `matchesFilter`.
 */
export class FieldColumns {
  readonly #columns: ReadonlyMap<string, FieldColumn>;

  private constructor(columns: ReadonlyMap<string, FieldColumn>) {
    this.#columns = columns;
  }

  static read(sections: Sections, path: string): FieldColumns {
    const names = jsonSection(sections, "fields", path) as readonly string[];
    return new FieldColumns(
      new Map(
        names.map((name, index) => [
          name,
          new FieldColumn(
            uint32Section(sections, `field ${index} codes`, path),
            () => jsonSection(sections, `field ${index} values`, path) as readonly FieldValue[],
          ),
        ]),
      ),
    );
  }

  static make(columns: ReadonlyMap<string, FieldColumn>): FieldColumns {
    return new FieldColumns(columns);
  }

  sections(): Sections {
    const columns = [...this.#columns];
    return new Map<string, Uint8Array>([
      ["fields", Buffer.from(JSON.stringify(columns.map(([name]) => name)))],
      ...columns.flatMap(([, column], index): [string, Uint8Array][] => [
        [`field ${index} codes`, bytesOf(column.codes)],
        [`field ${index} values`, Buffer.from(JSON.stringify(column.values))],
      ]),
    ]);
  }

  columns(): Iterable<readonly [string, FieldColumn]> {
    return this.#columns;
  }

  /** Makes a test of a checked filter: an answer for all rows where one is known without looking at them. */
  test(filter: Filter): RowTest | boolean {
    if ("and" in filter) {
      const parts = filter.and.map((part) => this.test(part)).filter((part) => part !== true);
      if (parts.includes(false)) return false;
      const [first, ...others] = parts as RowTest[];
      if (first === undefined) return true;
      return others.length === 0 ? first : (row) => first(row) && others.every((part) => part(row));
    }
    if ("or" in filter) {
      const parts = filter.or.map((part) => this.test(part)).filter((part) => part !== false);
      if (parts.includes(true)) return true;
      const [first, ...others] = parts as RowTest[];
      if (first === undefined) return false;
      return others.length === 0 ? first : (row) => first(row) || others.some((part) => part(row));
    }
    if ("not" in filter) {
      const part = this.test(filter.not);
      return typeof part === "boolean" ? !part : (row) => !part(row);
    }
    return this.#columns.get(filter.field)?.test(filter) ?? false;
  }
}

/** One field of all rows. */
export class FieldColumn {
  /** A row's value, as its place in `values` plus one; 0 without. */
  readonly codes: Uint32Array;
  #values: readonly FieldValue[] | (() => readonly FieldValue[]);

  /** @param values the dictionary, or how to read it: most fields are never asked for */
  constructor(codes: Uint32Array, values: readonly FieldValue[] | (() => readonly FieldValue[])) {
    this.codes = codes;
    this.#values = values;
  }

  get values(): readonly FieldValue[] {
    if (typeof this.#values === "function") this.#values = this.#values();
    return this.#values;
  }

  test(comparison: FilterComparison): RowTest | false {
    const { codes, values } = this;
    const passes = (code: number): boolean =>
      matchesFilter(comparison, { [comparison.field]: values[code - 1] as FieldValue });
    /** By code: 0 not asked yet, 1 fails, 2 passes. A row without the field fails every comparison. */
    const verdicts = new Uint8Array(values.length + 1);
    verdicts[0] = 1;
    if (values.length <= mostAskedAtOnce) {
      for (let code = 1; code <= values.length; code++) verdicts[code] = passes(code) ? 2 : 1;
      if (!verdicts.includes(2)) return false;
      return (row) => verdicts[codes[row] as number] === 2;
    }
    return (row) => {
      const code = codes[row] as number;
      if (verdicts[code] === 0) verdicts[code] = passes(code) ? 2 : 1;
      return verdicts[code] === 2;
    };
  }
}
