import { LociError } from "@loci/domain";
import type { IndexMaintenanceOptions } from "@loci/store";
import type { LoneStatements, Settings, Statements } from "../postgres/transaction.ts";

/**
 * Gives the space of replaced rows back for use and counts anew what plans are made by. With `purge` the tables and their
 * indexes are written anew without a byte of old rows; nobody can read them meanwhile.
 *
 * @param settings with which a purge makes indexes anew
 * @throws LociError `INVALID_CONFIGURATION` when the role may not purge: PostgreSQL itself would only skip the table
 */
export async function vacuum(
  statements: LoneStatements,
  tables: readonly string[],
  { purge = false }: Pick<IndexMaintenanceOptions, "purge">,
  settings: Settings = {},
): Promise<void> {
  if (purge) await checkOwner(statements, tables);
  for (const table of tables)
    await statements.runWith(purge ? settings : {}, `VACUUM (${purge ? "FULL, ANALYZE" : "ANALYZE"}) ${table}`);
}

/** The rows of a table, of all tenants, as they were counted when it was last vacuumed: a role may not see them. */
export async function estimatedRows(statements: Statements, table: string): Promise<number> {
  const [row] = await statements.query<{ rows: number }>(
    "SELECT reltuples AS rows FROM pg_class WHERE oid = to_regclass($1)",
    [table],
  );
  return row?.rows ?? 0;
}

async function checkOwner(statements: Statements, tables: readonly string[]): Promise<void> {
  const [table] = await statements.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
    WHERE oid = ANY($1::regclass[]) AND NOT pg_has_role(relowner, 'USAGE')`,
    [tables],
  );
  if (table === undefined) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The role may not purge ${table.name}: that takes its owner.`,
    resource: table.name,
    advice: "Purge as the owner of the schema, or make the role a member of the owner.",
  });
}
