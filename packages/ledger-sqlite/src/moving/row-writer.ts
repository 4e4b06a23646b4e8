import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Command, Query } from "../query.ts";
import { keptCommand, keptQuery } from "./kept-statements.ts";
import type { MovedTable } from "./moved-table.ts";

/** A row as it was read, by its columns. */
export type Row = Readonly<Record<string, SQLInputValue>>;

/** Numbers that a tenant's rows have in their new file. */
export interface NumbersThere {
  readonly tenant: number;
  /** The tenant's name, which is its number where rows are `named`. */
  readonly name: string;
  scope(number: number): number;
  space(number: number): number;
  /** Copies what an embedding points at. @returns the first and the last number it has now */
  pieces(first: number, last: number): readonly [number, number];
}

/** Writes rows of a tenant into their table of another file. */
export class RowWriter {
  readonly #table: MovedTable;
  readonly #numbers: NumbersThere;
  readonly #insert: Command;
  readonly #find: Query<{ first_piece: number; last_piece: number }> | undefined;
  readonly #remove: Command;
  readonly #removePieces: Command;

  constructor(database: DatabaseSync, table: MovedTable, numbers: NumbersThere) {
    this.#table = table;
    this.#numbers = numbers;
    const { name, columns, key, way } = table;
    this.#insert = keptCommand(
      database,
      `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    const isOne = [...(way === "ofScopes" ? [] : ["tenant"]), ...key].map((column) => `${column} IS ?`).join(" AND ");
    this.#remove = keptCommand(database, `DELETE FROM ${name} WHERE ${isOne}`);
    this.#removePieces = keptCommand(database, "DELETE FROM vector_pieces WHERE id BETWEEN ? AND ?");
    if (way === "embeddings")
      this.#find = keptQuery(database, `SELECT first_piece, last_piece FROM embeddings WHERE ${isOne}`);
  }

  insert(row: Row): void {
    const [first, last] =
      this.#table.way === "embeddings"
        ? this.#numbers.pieces(Number(row["first_piece"]), Number(row["last_piece"]))
        : [null, null];
    this.#insert.run(
      ...this.#table.columns.map((column) => {
        if (column === "first_piece") return first;
        if (column === "last_piece") return last;
        return column === "tenant" ? this.#owner : this.#there(column, row[column] ?? null);
      }),
    );
  }

  /** @param key as it is in the file it was noted in */
  remove(key: readonly (string | number | null)[]): void {
    const there = this.#table.key.map((column, place) => this.#there(column, key[place] ?? null));
    const wanted = this.#table.way === "ofScopes" ? there : [this.#owner, ...there];
    const embedding = this.#find?.get(...wanted);
    if (embedding !== undefined) this.#removePieces.run(embedding.first_piece, embedding.last_piece);
    this.#remove.run(...wanted);
  }

  get #owner(): string | number {
    return this.#table.way === "named" ? this.#numbers.name : this.#numbers.tenant;
  }

  #there(column: string, value: SQLInputValue): SQLInputValue {
    if (value === null) return null;
    if (column === "scope") return this.#numbers.scope(Number(value));
    return column === "space" ? this.#numbers.space(Number(value)) : value;
  }
}
