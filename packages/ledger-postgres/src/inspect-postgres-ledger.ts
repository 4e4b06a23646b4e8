import { Client } from "pg";
import { keySettingPrefix } from "@loci/ledger/sql";
import { clientConfiguration } from "@loci/postgres-connection";
import { identifier } from "./identifier.ts";
import { migrations } from "./migrations.ts";
import { toLociError } from "./postgres-error.ts";
import { checkVersion } from "./schema-version.ts";
import { nameServer } from "./server-name.ts";

export interface InspectPostgresLedgerOptions {
  /** Of the role that serves. */
  readonly connectionString: string;
  /** Default `loci`. */
  readonly schema?: string | undefined;
  /** To become after connecting. */
  readonly role?: string | undefined;
}

/** What a ledger in PostgreSQL says of itself, to somebody who only looks. */
export interface PostgresLedgerFacts {
  /** Host, port and database, without a password. */
  readonly where: string;
  /** Of PostgreSQL, such as `17.2`. */
  readonly serverVersion: string;
  /** Of the schema; 0 where this role sees no tables in it. One that is older than `newestVersion` is migrated by the owner's connection string. */
  readonly version: number;
  /** The newest that this version of Loci knows. */
  readonly newestVersion: number;
  /** Whether the role could see the rows of every tenant, which a server refuses. */
  readonly bypassesRowSecurity: boolean;
  /** The ids of the keys that anything in it may be encrypted with. Empty: nothing is. */
  readonly keyIds: readonly string[];
  /** By how much the clock of this process is ahead of the database's, in milliseconds. */
  readonly clockAhead: number;
}

/**
 * Looks at a ledger in PostgreSQL on a connection of its own, without changing anything.
 *
 * @throws LociError `STORE_UNAVAILABLE`, `INVALID_CONFIGURATION`, `DATA_DIRECTORY_TOO_NEW`
 */
export async function inspectPostgresLedger(options: InspectPostgresLedgerOptions): Promise<PostgresLedgerFacts> {
  const schema = identifier(options.schema ?? "loci", "schema");
  const configuration = clientConfiguration(options.connectionString);
  const where = nameServer(configuration);
  const client = new Client({ ...configuration, query_timeout: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    if (options.role !== undefined) await client.query(`SET ROLE ${identifier(options.role, "role")}`);
    await client.query(`SET search_path = ${schema}, pg_temp`);
    const { rows: tables } = await client.query<{ readonly seen: boolean }>(
      "SELECT to_regclass('schema_steps') IS NOT NULL AS seen",
    );
    const steps = tables[0]?.seen === true ? "(SELECT max(version) FROM schema_steps)" : "0";
    const { rows } = await client.query<{
      readonly version: number | null;
      readonly bypasses: boolean;
      readonly server: string;
      readonly now: string;
    }>(
      `SELECT ${steps} AS version, rolsuper OR rolbypassrls AS bypasses,
           current_setting('server_version') AS server, extract(epoch FROM clock_timestamp()) * 1000 AS now
         FROM pg_roles WHERE rolname = current_user`,
    );
    const [found] = rows;
    const version = found?.version ?? 0;
    checkVersion(version, schema, where);
    const { rows: noted } =
      version < migrations.length
        ? { rows: [] }
        : await client.query<{ readonly name: string }>(
            "SELECT name FROM settings WHERE tenant = '' AND starts_with(name, $1) ORDER BY name",
            [keySettingPrefix],
          );
    return {
      where,
      serverVersion: found?.server.split(" ")[0] ?? "",
      version,
      newestVersion: migrations.length,
      bypassesRowSecurity: found?.bypasses !== false,
      keyIds: noted.map(({ name }) => name.slice(keySettingPrefix.length)),
      clockAhead: Math.round(Date.now() - Number(found?.now)),
    };
  } catch (error) {
    throw toLociError(error, where);
  } finally {
    await client.end().catch(() => undefined);
  }
}
