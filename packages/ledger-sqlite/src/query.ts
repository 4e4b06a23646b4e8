import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A prepared statement whose rows have a known shape. */
export interface Query<Row> {
  get(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): Row[];
}

/** A prepared statement that gives no rows. */
export interface Command {
  run(...parameters: SQLInputValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
}

/** Prepares a reading statement. The shape of its rows is the SQL author's word: this is the one place that takes it. */
export function prepareQuery<Row>(database: DatabaseSync, sql: string): Query<Row> {
  return database.prepare(sql) as unknown as Query<Row>;
}

export function prepareCommand(database: DatabaseSync, sql: string): Command {
  return database.prepare(sql);
}
