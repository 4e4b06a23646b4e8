import { type CallOptions, CallSignal, type Instant, type Ref, type TenantId } from "@loci/domain";
import type { LedgerUpkeep, PurgedQuery, PurgedRef } from "@loci/ledger";
import { Client } from "pg";
import type { Connections } from "./connections.ts";
import { type Statement, statement } from "./statement.ts";
import { tables } from "./tables.ts";

const count: Statement<{ readonly count: number }> = statement(
  "SELECT count(*) AS count FROM memories WHERE tenant = $1",
);

const purged: Statement<{ readonly ref: Ref; readonly purged_at: Instant }> = statement(
  "SELECT ref, purged_at FROM purged WHERE tenant = $1 AND ref > $2 ORDER BY ref LIMIT $3",
);

const purgedAmong: Statement<{ readonly ref: Ref; readonly purged_at: Instant }> = statement(
  `SELECT ref, purged_at FROM purged WHERE tenant = $1 AND ref > $2 AND ref = ANY ($4::text[]) ORDER BY ref LIMIT $3`,
);

export async function countMemories(
  connections: Connections,
  tenant: TenantId,
  call: CallOptions | undefined,
): Promise<number> {
  const [row] = await connections.read({ tenant }, count, [tenant], call);
  return row?.count ?? 0;
}

export async function purgedRefs(
  connections: Connections,
  tenant: TenantId,
  { after = "" as Ref, limit, refs }: PurgedQuery,
  call: CallOptions | undefined,
): Promise<readonly PurgedRef[]> {
  const values = [tenant, after, limit];
  const rows = await (refs === undefined
    ? connections.read({ tenant }, purged, values, call)
    : connections.read({ tenant }, purgedAmong, [...values, refs], call));
  return rows.map(({ ref, purged_at: purgedAt }) => ({ ref, purgedAt }));
}

const bytes: Statement<{ readonly bytes: number }> = statement(
  `SELECT coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0)::float8 AS bytes
     FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY ($1::text[])`,
);

/** What the tables of the ledger take, with their indexes. */
export async function sizeOfTables(connections: Connections, call: CallOptions | undefined): Promise<number> {
  const [row] = await connections.read({ everyTenant: true }, bytes, [tables.map(({ name }) => name)], call);
  return row?.bytes ?? 0;
}

/** What no statement can overwrite. */
const outsideTables =
  "PostgreSQL's write-ahead log, its archive, standbys and backups keep what was deleted until they are recycled.";

/**
 * Gives space back, which takes the owner of the tables. Without, the database's own autovacuum has to do.
 *
 * @param owner connection string of the owner, if it is known
 * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED`: what was not done yet is left
 */
export async function maintainTables(
  owner: string | undefined,
  schema: string,
  { scrub, call }: { readonly scrub: boolean; readonly call: CallOptions | undefined },
): Promise<LedgerUpkeep> {
  if (owner === undefined)
    return {
      reclaimedBytes: 0,
      unproven: [
        `The table files of the schema ${schema}: only its owner can run VACUUM FULL, which makes them anew.`,
        outsideTables,
      ],
    };
  using over = new CallSignal(call);
  over.throwIfAborted();
  const client = new Client({ connectionString: owner, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  // In the middle of a statement it breaks the connection off.
  const stop = (): void => void client.end().catch(() => undefined);
  over.signal.addEventListener("abort", stop, { once: true });
  try {
    // Ends what runs for somebody who is gone. Not every platform can tell.
    await client.query("SET client_connection_check_interval = '1s'").catch(() => undefined);
    const { rows } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 ORDER BY tablename",
      [schema],
    );
    const tables = rows.map(({ name }) => name);
    const before = await sizeOf(client, tables);
    const kept = new KeptRows(client);
    for (const table of tables) await client.query(`VACUUM (${scrub ? "FULL, VERBOSE, " : ""}ANALYZE) ${table}`);
    return {
      reclaimedBytes: Math.max(0, before - (await sizeOf(client, tables))),
      unproven: scrub
        ? [...kept.unproven(schema), outsideTables]
        : [`The free space in the table files of the schema ${schema}, until it is used again.`, outsideTables],
    };
  } catch (error) {
    over.throwIfAborted();
    throw error;
  } finally {
    over.signal.removeEventListener("abort", stop);
    await client.end();
  }
}

/** Counts the deleted rows that a `VACUUM` had to keep, as its own report tells. */
class KeptRows {
  #rows = 0;

  constructor(client: Client) {
    // In the server's language, but the number of rows that cannot be removed yet comes first in it.
    client.on("notice", ({ detail }) => (this.#rows += Number(/\d+/.exec(detail ?? "")?.[0] ?? 0)));
  }

  unproven(schema: string): readonly string[] {
    if (this.#rows === 0) return [];
    return [
      `The table files of the schema ${schema}: ${this.#rows} deleted rows are still there, as a transaction or a standby that began before may read them. Erase again when it has ended.`,
    ];
  }
}

async function sizeOf(client: Client, tables: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT sum(pg_total_relation_size(name::regclass)) AS bytes FROM unnest($1::text[]) AS t (name)",
    [tables],
  );
  return Number(rows[0]?.bytes ?? 0);
}
