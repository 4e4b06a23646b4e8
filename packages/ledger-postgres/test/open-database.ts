import { openTestDatabase, type PostgresKind } from "@loci/test-postgres";
import { Client } from "pg";
import { migratePostgresLedger, openPostgresLedger, type PostgresLedgerOptions } from "../src/index.ts";
import type { Ledger } from "@loci/ledger";

/** An empty database with an owner that is no superuser, and a role that serves. */
export interface LedgerDatabase extends AsyncDisposable {
  readonly superuser: string;
  readonly owner: string;
  readonly service: string;
  /** What to open a ledger with. */
  readonly options: PostgresLedgerOptions;
  open(options?: Partial<PostgresLedgerOptions>): Promise<Ledger>;
  drop(): Promise<void>;
}

/** Roles belong to the whole server: those of one database are named after it. */
export async function openLedgerDatabase(kind?: PostgresKind): Promise<LedgerDatabase> {
  const database = await openTestDatabase(kind);
  const superuser = database.connectionString;
  const name = new URL(superuser).pathname.slice(1);
  const owner = `owner_${name.slice(-12)}`;
  const service = `service_${name.slice(-12)}`;
  await execute(
    superuser,
    `CREATE ROLE ${owner} LOGIN PASSWORD 'o'; CREATE ROLE ${service} LOGIN PASSWORD 's';
     GRANT CREATE ON DATABASE ${name} TO ${owner};`,
  );
  const isNative = database.kind === "native";
  const options: PostgresLedgerOptions = isNative
    ? { connectionString: as(superuser, service, "s"), ownerConnectionString: as(superuser, owner, "o") }
    : { connectionString: superuser, role: service, maxConnections: database.maxConnections, listen: false };
  // The owner would need a second connection.
  if (!isNative) await migratePostgresLedger({ connectionString: superuser, serviceRole: service });
  return {
    superuser,
    owner: as(superuser, owner, "o"),
    service: as(superuser, service, "s"),
    options,
    open: (more) => openPostgresLedger({ ...options, ...more }),
    drop: database.drop,
    [Symbol.asyncDispose]: database.drop,
  };
}

export async function execute(
  connectionString: string,
  statements: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statements)).rows;
  } finally {
    await client.end();
  }
}

function as(connectionString: string, user: string, password: string): string {
  const url = new URL(connectionString);
  url.username = user;
  url.password = password;
  return url.href;
}
