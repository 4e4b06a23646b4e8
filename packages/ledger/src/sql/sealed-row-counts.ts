import type { RowsByKey } from "../ledger-encryption.ts";
import { keyIdOfField } from "./sealed-fields.ts";
import type { SealedRow, SealedTable } from "./sealed-tables.ts";

/** So many characters of a field say which key it is sealed under. */
export const keyIdCharacters = 80;

/** Counts rows with texts by the key that they are sealed under. */
export class SealedRowCounts {
  readonly #byKey = new Map<string, number>();
  #plain = 0;

  /** @param row with the beginnings of its fields */
  add({ fields }: Pick<SealedTable, "fields">, row: SealedRow): void {
    const texts = fields.map((field) => row[field]).filter((text) => typeof text === "string");
    const ids = new Set(texts.map(keyIdOfField));
    if (ids.has(undefined)) this.#plain++;
    for (const id of ids) if (id !== undefined) this.#byKey.set(id, (this.#byKey.get(id) ?? 0) + 1);
  }

  get rows(): RowsByKey {
    return { byKey: this.#byKey, plain: this.#plain };
  }
}
