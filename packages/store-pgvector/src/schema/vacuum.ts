import { type CallOptions, LociError } from "@loci/domain";
import type { IndexMaintenanceOptions } from "@loci/store";
import type { Connections } from "../postgres/connections.ts";
import type { Settings } from "../postgres/transaction.ts";

/**
 * Gives the space of replaced rows back for use and counts anew what plans are made by. With `purge` the tables and their
 * indexes are written anew without a byte of old rows; nobody can read them meanwhile.
 *
 * @param settings with which a purge makes indexes anew
 * @throws LociError `INVALID_CONFIGURATION` when the role may not purge: PostgreSQL itself would only skip the table
 */
export async function vacuum(
  connections: Connections,
  tables: readonly string[],
  options: IndexMaintenanceOptions | undefined,
  settings: Settings = {},
): Promise<void> {
  const isPurge = options?.purge === true;
  if (isPurge) await checkOwner(connections, tables, options);
  for (const table of tables)
    await connections.statement(
      `VACUUM (${isPurge ? "FULL, ANALYZE" : "ANALYZE"}) ${table}`,
      options,
      isPurge ? settings : {},
    );
}

/** The rows of a table, of all tenants, as they were counted when it was last vacuumed: a role may not see them. */
export async function estimatedRows(
  connections: Connections,
  table: string,
  options: CallOptions | undefined,
): Promise<number> {
  const [row] = await connections.transaction(undefined, options, (transaction) =>
    transaction.query<{ rows: number }>("SELECT reltuples AS rows FROM pg_class WHERE oid = to_regclass($1)", [table]),
  );
  return row?.rows ?? 0;
}

async function checkOwner(
  connections: Connections,
  tables: readonly string[],
  options: IndexMaintenanceOptions | undefined,
): Promise<void> {
  const [table] = await connections.transaction(undefined, options, (transaction) =>
    transaction.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
      WHERE oid = ANY($1::regclass[]) AND NOT pg_has_role(relowner, 'USAGE')`,
      [tables],
    ),
  );
  if (table === undefined) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The role may not purge ${table.name}: that takes its owner.`,
    resource: table.name,
    advice: "Purge as the owner of the schema, or make the role a member of the owner.",
  });
}
