import type { IndexFields } from "@loci/store";
import { FieldColumn, FieldColumns } from "./field-columns.ts";

type FieldValue = IndexFields[string];

interface ColumnDraft {
  readonly codes: Uint32Array;
  readonly values: FieldValue[];
  readonly known: Map<FieldValue, number>;
  /** Codes of lists, by their JSON. */
  readonly knownLists: Map<string, number>;
}

/** Collects the fields of a new segment's rows. */
export class FieldColumnsBuilder {
  readonly #rows: number;
  readonly #columns = new Map<string, ColumnDraft>();

  /** @param rows of the segment to be */
  constructor(rows: number) {
    this.#rows = rows;
  }

  add(row: number, fields: IndexFields): void {
    for (const [name, value] of Object.entries(fields)) {
      const column = this.#column(name);
      column.codes[row] = codeOf(column, value);
    }
  }

  /** Takes over rows of another segment. @param rowMap the new row of every old one, or -1 */
  addFrom(source: FieldColumns, rowMap: Int32Array): void {
    for (const [name, { codes, values }] of source.columns()) {
      const target = this.#column(name);
      // The new code of every old one, found when it first comes up.
      const newCodes = new Uint32Array(values.length + 1);
      for (let row = 0; row < rowMap.length; row++) {
        const code = codes[row] as number;
        const newRow = rowMap[row] as number;
        if (code === 0 || newRow < 0) continue;
        if (newCodes[code] === 0) newCodes[code] = codeOf(target, values[code - 1] as FieldValue);
        target.codes[newRow] = newCodes[code] as number;
      }
    }
  }

  finish(): FieldColumns {
    return FieldColumns.make(
      new Map([...this.#columns].map(([name, { codes, values }]) => [name, new FieldColumn(codes, values)])),
    );
  }

  #column(name: string): ColumnDraft {
    let column = this.#columns.get(name);
    if (column === undefined)
      this.#columns.set(
        name,
        (column = { codes: new Uint32Array(this.#rows), values: [], known: new Map(), knownLists: new Map() }),
      );
    return column;
  }
}

function codeOf({ values, known, knownLists }: ColumnDraft, value: FieldValue): number {
  if (typeof value === "object") return codeIn(knownLists, JSON.stringify(value), values, value);
  return codeIn(known, value, values, value);
}

function codeIn<Key>(known: Map<Key, number>, key: Key, values: FieldValue[], value: FieldValue): number {
  let code = known.get(key);
  if (code === undefined) known.set(key, (code = values.push(value)));
  return code;
}
