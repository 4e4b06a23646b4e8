import type { SealedRow, SealedTable } from "@loci/ledger/sql";
import { type Statement, statement } from "../statement.ts";

/** What finds a row of the table within its tenant. */
export function keyOf({ key }: SealedTable): readonly string[] {
  return key.filter((column) => column !== "tenant");
}

/** Before every row of the table. */
export function beginningOf(table: SealedTable): readonly (string | number)[] {
  return keyOf(table).map((column) => (typeOf(column) === "bigint" ? 0 : ""));
}

/** The place of a row. */
export function placeOf(table: SealedTable, row: SealedRow): readonly (string | number)[] {
  return keyOf(table).map((column) => row[column] ?? 0);
}

/**
 * Reads rows of a tenant behind a place, in their order. Values: the tenant, and the place.
 *
 * @param columns SQL of what is read besides the key
 */
export function pageOf(table: SealedTable, columns: readonly string[], limit: number): Statement<SealedRow> {
  const key = keyOf(table).join(", ");
  const place = keyOf(table).map((column, index) => `$${index + 2}::${typeOf(column)}`);
  return statement(
    `SELECT ${[key, ...columns].join(", ")} FROM ${table.name}
       WHERE tenant = $1 AND (${key}) > (${place.join(", ")}) ORDER BY ${key} LIMIT ${limit}`,
  );
}

/** Writes the fields of rows. Values: the tenant, and one array for each column of the key and each field. */
export function writingOf(table: SealedTable): Statement<unknown> {
  const key = keyOf(table);
  const columns = [...key, ...table.fields];
  const arrays = columns.map((column, index) => `$${index + 2}::${typeOf(column)}[]`);
  return statement(
    `UPDATE ${table.name} AS one SET ${table.fields.map((field) => `${field} = sealed.${field}`).join(", ")}
       FROM unnest(${arrays.join(", ")}) AS sealed (${columns.join(", ")})
       WHERE one.tenant = $1 AND ${key.map((column) => `one.${column} = sealed.${column}`).join(" AND ")}`,
  );
}

function typeOf(column: string): "bigint" | "text" {
  return column === "sequence" || column === "through" ? "bigint" : "text";
}
