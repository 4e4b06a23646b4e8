import { setTimeout } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { identifier } from "./identifier.ts";
import { type IndexStep, migrations } from "./migrations.ts";
import { toLociError } from "./postgres-error.ts";
import { checkVersion } from "./schema-version.ts";
import { nameServer } from "./server-name.ts";

export interface MigratePostgresLedgerOptions {
  /** Of the role that is to own the tables. It needs `CREATE` on the database, or to own the schema. */
  readonly connectionString: string;
  /** The role that servers connect as, which gets what it needs and no more. */
  readonly serviceRole: string;
  /** Default `loci`. */
  readonly schema?: string | undefined;
}

/** Any number will do, as long as it is always the same: one migration at a time in a database. */
const migrationLock = 0x4c_6f_63_69;
/** A step that has to wait for a running statement does not make all others wait behind it for longer than that. */
const lockTimeout = "3s";
const lockAttempts = 20;
/** Between two attempts to be the one that migrates, in milliseconds. */
const lockPause = 100;

/**
 * Brings the schema to the newest version, while servers use it. Safe to run at any time, from several places at once:
 * what is there already is left alone.
 *
 * @throws LociError `DATA_DIRECTORY_TOO_NEW`, `INVALID_CONFIGURATION`, `STORE_UNAVAILABLE`
 */
export async function migratePostgresLedger(options: MigratePostgresLedgerOptions): Promise<void> {
  const schema = identifier(options.schema ?? "loci", "schema");
  const role = identifier(options.serviceRole, "serviceRole");
  const configuration: ClientConfig = { connectionString: options.connectionString, connectionTimeoutMillis: 5_000 };
  const where = nameServer(configuration);
  const client = new Client(configuration);
  client.on("error", () => undefined);
  try {
    await client.connect();
    await takeLock(client);
    const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    if (rows.length === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`SET search_path = ${schema}, pg_temp`);
    await client.query(
      "CREATE TABLE IF NOT EXISTS schema_steps (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const found = await versionOf(client);
    checkVersion(found, schema, where);
    for (const [index, step] of migrations.entries()) {
      if (index < found) continue;
      if (typeof step === "string") await applyStep(client, step, index + 1);
      else await makeIndex(client, step, index + 1);
    }
    await grant(client, schema, role);
  } catch (error) {
    throw toLociError(error, where);
  } finally {
    // The lock goes with the connection.
    await client.end().catch(() => undefined);
  }
}

/** Asks again and again: whoever waits in a statement would keep an index from being made, which waits for all of them. */
async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
      migrationLock,
    ]);
    if (rows[0]?.taken === true) return;
    await setTimeout(lockPause);
  }
}

async function versionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number | null }>("SELECT max(version) AS version FROM schema_steps");
  return rows[0]?.version ?? 0;
}

async function applyStep(client: Client, step: string, version: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query("BEGIN");
      await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
      await client.query(step);
      await client.query("INSERT INTO schema_steps (version) VALUES ($1)", [version]);
      await client.query("COMMIT");
      return;
    } catch (error) {
      // Where the connection was lost there is nothing to roll back, and that it was lost is what failed.
      await client.query("ROLLBACK").catch(() => undefined);
      const isLocked = error instanceof Error && "code" in error && error.code === "55P03";
      if (!isLocked || attempt === lockAttempts) throw error;
    }
  }
}

/** Begins anew when it was interrupted: what is left of an attempt is no use. */
async function makeIndex(client: Client, { index, on }: IndexStep, version: number): Promise<void> {
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  await client.query(`CREATE INDEX CONCURRENTLY ${index} ON ${on}`);
  await client.query("INSERT INTO schema_steps (version) VALUES ($1)", [version]);
}

/** The rights of a server: rows, never tables. */
async function grant(client: Client, schema: string, role: string): Promise<void> {
  const { rows } = await client.query<{ tables: string }>(
    `SELECT string_agg(format('%I', relname), ', ') AS tables FROM pg_class
       WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND relname <> 'schema_steps'`,
    [schema],
  );
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
  await client.query(`GRANT SELECT ON schema_steps TO ${role}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${rows[0]?.tables ?? ""} TO ${role}`);
}
