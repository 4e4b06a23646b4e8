import type { Ref } from "@loci/domain";
import type { Table, Vector } from "apache-arrow";

/** Columns of what a query found, as arrays. LanceDB leaves the columns out when it found nothing. */
export class ArrowColumns {
  readonly size: number;
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
    this.size = table.numRows;
  }

  /** Of a column without nulls. */
  numbers(name: string): Float64Array {
    return (this.#column(name)?.toArray() ?? new Float64Array()) as Float64Array;
  }

  refs(): readonly Ref[] {
    return this.texts("ref") as readonly Ref[];
  }

  texts(name: string): readonly (string | null)[] {
    return (this.#column(name)?.toJSON() ?? []) as (string | null)[];
  }

  vectors(name: string): readonly Float32Array[] {
    const column = this.#column(name);
    if (column === undefined) return [];
    return Array.from({ length: this.size }, (_, row) => (column.get(row) as Vector).toArray() as Float32Array);
  }

  #column(name: string): Vector | undefined {
    const column = this.#table.getChild(name) ?? undefined;
    if (column === undefined && this.size > 0) throw new Error(`LanceDB answered without the column ${name}.`);
    return column;
  }
}
