import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Query } from "../query.ts";
import { keptQuery } from "./kept-statements.ts";
import type { MovedTable } from "./moved-table.ts";
import type { Row } from "./row-writer.ts";

/** How far the rows of an owner were read. */
export interface RowPlace {
  /** The last row, by the columns that rows are in the order of. */
  readonly values: readonly SQLInputValue[];
  /** How many of these the rows that are read next have in common with it: in the one after those they are behind it. */
  readonly common: number;
}

export const beginning: RowPlace = { values: [], common: -1 };

/**
 * Reads the rows of one owner in a table, in the order of an index, a page at a time: between two nothing of the file is held, and
 * others may write it. What they write before the place that was reached is not seen.
 */
export class RowPages {
  readonly #columns: readonly string[];
  readonly #limit: number;
  readonly #first: Query<Row>;
  /** Each is a stretch of the index, so that nothing is passed over by looking at it. By what rows have in common with the last. */
  readonly #after: readonly Query<Row>[];

  /** @param limit rows of a page */
  constructor(database: DatabaseSync, { name, way, order }: MovedTable, limit: number) {
    this.#columns = order.map(({ column }) => column);
    this.#limit = limit;
    const inOrder = order.map(({ column, isDescending }) => `${column}${isDescending ? " DESC" : ""}`).join(", ");
    const prepare = (conditions: readonly string[]): Query<Row> =>
      keptQuery(database, `SELECT * FROM ${name} WHERE ${conditions.join(" AND ")} ORDER BY ${inOrder} LIMIT ${limit}`);
    const isOwners = way === "ofScopes" ? "scope = ?" : "tenant = ?";
    this.#first = prepare([isOwners]);
    this.#after = order.map(({ column, isDescending }, common) =>
      prepare([
        isOwners,
        ...this.#columns.slice(0, common).map((same) => `${same} = ?`),
        `${column} ${isDescending ? "<" : ">"} ?`,
      ]),
    );
  }

  /**
   * @param owner the number or name of a tenant; in a table `ofScopes` that of a scope
   * @returns where it goes on, `undefined` at the end
   */
  read(
    owner: string | number,
    { values, common }: RowPlace,
  ): { readonly rows: readonly Row[]; readonly next: RowPlace | undefined } {
    const rows = (this.#after[common] ?? this.#first).all(owner, ...values.slice(0, common + 1));
    const last = rows.at(-1);
    const reached = last === undefined ? values : this.#columns.map((column) => last[column] ?? null);
    if (rows.length === this.#limit) return { rows, next: { values: reached, common: reached.length - 1 } };
    return { rows, next: common > 0 ? { values: reached, common: common - 1 } : undefined };
  }
}
