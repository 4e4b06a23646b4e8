import { randomUUID } from "node:crypto";
import type { PostgresLedger } from "@loci/loci";
import type { TestDatabase } from "@loci/test-postgres";

/** A ledger in a test's database, as servers use one: by a role of its own. */
export async function serviceLedger(
  { connectionString, execute }: TestDatabase,
  maxConnections: number,
): Promise<PostgresLedger> {
  const role = `service_${randomUUID().slice(0, 8)}`;
  await execute(`CREATE ROLE ${role}`);
  return { kind: "postgres", connectionString, ownerConnectionString: connectionString, role, maxConnections };
}
