import type { Statements } from "../postgres/transaction.ts";
import { createTenantTable, type RowTables } from "./tables.ts";

/**
 * The statements that make the table of what was changed lately: a row for each batch, and only of the last ones. One that a version
 * has left which did not know it is made anew.
 */
export function createRecentTable({ recent }: Pick<RowTables, "recent">, partitions = 1): readonly string[] {
  const columns = `tenant text NOT NULL, stamp bigint NOT NULL, id uuid NOT NULL, writer xid8 NOT NULL, refs uuid[],
    PRIMARY KEY (tenant, stamp)`;
  return [`DROP TABLE IF EXISTS ${recent}`, ...createTenantTable(recent, columns, { partitions })];
}

/** Whether the table is there and this role may use it. Indexes that an older version has made get it from the owner of their tables. */
export async function notesChanges(statements: Statements, { recent }: Pick<RowTables, "recent">): Promise<boolean> {
  const [found] = await statements.query<{ isUsable: boolean }>(
    `SELECT coalesce(has_table_privilege(to_regclass($1), 'SELECT') AND has_table_privilege(to_regclass($1), 'INSERT')
      AND has_table_privilege(to_regclass($1), 'DELETE'), false) AS "isUsable"`,
    [recent],
  );
  return found?.isUsable ?? false;
}

/** Whether the table is missing where this role is to make it: as the owner of the rows, in a schema in which it may. */
export async function lacksRecentTable(
  statements: Statements,
  { schema, rows, recent }: Pick<RowTables, "schema" | "rows" | "recent">,
): Promise<boolean> {
  const [found] = await statements.query(
    `SELECT FROM pg_class WHERE oid = to_regclass($1) AND to_regclass($2) IS NULL AND pg_has_role(relowner, 'USAGE')
      AND has_schema_privilege($3, 'CREATE')`,
    [rows, recent, schema],
  );
  return found !== undefined;
}
