import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { type PostgresEnd, type RunningPostgres, startPostgres } from "@loci/test-postgres";
import { parentOf } from "./processor-time.ts";

/** Writes wait for the disk, as everywhere but in tests. */
const durable = { fsync: "on", full_page_writes: "on", shared_buffers: "256MB" };

/** A table with its indexes; one that is partitioned as a whole. */
export interface TableSize {
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
}

/** How many tables are told of. */
const largest = 8;

/** A PostgreSQL for ledger and indexes, set up as its guide says. */
export class LoadDatabase {
  /** Connection strings of the roles that serve and own, by the variables that {@link settings} names. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #postgres: RunningPostgres;
  #processId = Number.NaN;

  private constructor(postgres: RunningPostgres, environment: Readonly<Record<string, string>>) {
    this.#postgres = postgres;
    this.environment = environment;
  }

  /** @param settings of the server by name */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<LoadDatabase> {
    const postgres = await startPostgres({ kind: "native", settings: { ...durable, ...settings } });
    const password = randomBytes(16).toString("hex");
    const database = new LoadDatabase(postgres, {
      LOCI_DATABASE_URL: connectionStringOf(postgres, "loci_service", password),
      LOCI_DATABASE_OWNER_URL: connectionStringOf(postgres, "loci_owner", password),
    });
    await database.execute(`CREATE ROLE loci_owner LOGIN PASSWORD '${password}';
      CREATE ROLE loci_service LOGIN PASSWORD '${password}' NOSUPERUSER NOBYPASSRLS;
      CREATE SCHEMA loci AUTHORIZATION loci_owner;
      CREATE SCHEMA loci_indexes AUTHORIZATION loci_service;
      CREATE EXTENSION vector;`);
    await database.#lookUpProcess();
    return database;
  }

  /** What servers are told of it, as TOML. */
  static settings(maxConnections: number): string {
    return `[ledger]
connection_string_variable = "LOCI_DATABASE_URL"
owner_connection_string_variable = "LOCI_DATABASE_OWNER_URL"
max_connections = ${maxConnections}

[index]
use = "pgvector"
connection_string_variable = "LOCI_DATABASE_URL"
max_connections = ${maxConnections}
`;
  }

  /** Whose children serve its connections. */
  get processId(): number {
    return this.#processId;
  }

  /** As a superuser. @returns the rows of the last statement */
  async execute(statements: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.#postgres.connectionString });
    // A server that ends cuts the connection, which is told by what was asked on it.
    client.on("error", () => undefined);
    await client.connect();
    try {
      const results: unknown = await client.query<Record<string, unknown>>(statements);
      const last = (Array.isArray(results) ? results.at(-1) : results) as { rows: Record<string, unknown>[] };
      return last.rows;
    } finally {
      await client.end();
    }
  }

  /** The largest tables of ledger and indexes. */
  async tableSizes(): Promise<readonly TableSize[]> {
    const rows = await this.execute(`ANALYZE;
      SELECT coalesce(pg_partition_root(c.oid), c.oid)::regclass::text AS name,
        sum(pg_total_relation_size(c.oid))::float8 AS bytes, sum(greatest(c.reltuples, 0))::float8 AS rows
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('loci', 'loci_indexes') AND c.relkind = 'r'
      GROUP BY 1 ORDER BY 2 DESC LIMIT ${largest}`);
    return rows.map(({ name, bytes, rows: count }) => ({
      name: String(name),
      bytes: Number(bytes),
      rows: Number(count),
    }));
  }

  /** Resolves when it takes connections again. */
  async restart(how: PostgresEnd): Promise<void> {
    await this.#postgres.restart?.(how);
    await this.#lookUpProcess();
  }

  stop(): Promise<void> {
    return this.#postgres.stop();
  }

  async #lookUpProcess(): Promise<void> {
    const client = new Client({ connectionString: this.#postgres.connectionString });
    await client.connect();
    const { rows } = await client.query<{ process: number }>("SELECT pg_backend_pid() AS process");
    this.#processId = parentOf(rows[0]?.process ?? 0);
    await client.end();
  }
}

function connectionStringOf({ connectionString }: RunningPostgres, role: string, password: string): string {
  const url = new URL(connectionString);
  url.username = role;
  url.password = password;
  return url.href;
}
