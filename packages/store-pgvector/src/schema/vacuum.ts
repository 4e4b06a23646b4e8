import { LociError } from "@loci/domain";
import type { IndexMaintenanceOptions } from "@loci/store";
import type { Connections } from "../postgres/connections.ts";

/**
 * Gives the space of replaced rows back for use and counts anew what plans are made by. With `purge` the tables and their
 * indexes are written anew without a byte of old rows; nobody can read them meanwhile.
 *
 * @throws LociError `INVALID_CONFIGURATION` when the role may not purge: PostgreSQL itself would only skip the table
 */
export async function vacuum(
  connections: Connections,
  tables: readonly string[],
  options: IndexMaintenanceOptions | undefined,
): Promise<void> {
  const isPurge = options?.purge === true;
  if (isPurge) await checkOwner(connections, tables, options);
  for (const table of tables)
    await connections.statement(`VACUUM (${isPurge ? "FULL, ANALYZE" : "ANALYZE"}) ${table}`, options);
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
