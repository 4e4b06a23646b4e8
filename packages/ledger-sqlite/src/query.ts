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

/** Runs a statement of whose outcome nothing is told. */
export type Step = (...parameters: SQLInputValue[]) => void;

/**
 * Prepares a statement that gives no rows and whose changes nobody counts. As a query it says nothing at the end: the object in which
 * `run` says how many rows it has changed takes a quarter of a short statement.
 */
export function prepareStep(database: DatabaseSync, sql: string): Step {
  const statement = database.prepare(sql);
  return (...parameters) => {
    statement.get(...parameters);
  };
}
