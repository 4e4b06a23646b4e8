import { type Instant, LociError } from "@loci/domain";
import type { EncryptionKeys } from "@loci/encryption";
import type { Ledger } from "@loci/ledger";
import { clientConfiguration } from "@loci/postgres-connection";
import { Client } from "pg";
import { CommitNotifier } from "./commit-notifier.ts";
import { Connections } from "./connections.ts";
import { LedgerKeys } from "./encryption/ledger-keys.ts";
import { prepareEncryption } from "./encryption/prepare-encryption.ts";
import { identifier } from "./identifier.ts";
import { migratePostgresLedger } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { PostgresLedger } from "./postgres-ledger.ts";
import { Pruner } from "./pruner.ts";
import { checkVersion } from "./schema-version.ts";
import { SchemaWatch } from "./schema-watch.ts";
import { nameServer } from "./server-name.ts";
import { type Statement, statement } from "./statement.ts";

export interface PostgresLedgerOptions {
  /** Of the role that serves. It may neither be a superuser nor bypass row-level security. */
  readonly connectionString: string;
  /** A role to become after connecting, which then has to be that one. Default: the one that connects. */
  readonly role?: string | undefined;
  /**
   * Of the role that owns the tables. With it, opening brings the schema to the newest version, and `maintain` can give
   * space back. Default: somebody runs `migratePostgresLedger` before.
   */
  readonly ownerConnectionString?: string | undefined;
  /** Where the tables are: a plain lower-case name. Default `loci`. */
  readonly schema?: string | undefined;
  /** Most connections, beside one that listens for commits of other servers. Default 10. */
  readonly maxConnections?: number | undefined;
  /**
   * Whether to listen, which takes a session of its own: not through a pooler in transaction mode. Without, every read also
   * brings its settings along, in a transaction that they end with. Default true.
   */
  readonly listen?: boolean | undefined;
  /** How often to look for commits of other servers while they cannot be heard, in milliseconds. Default 1,000. */
  readonly pollMilliseconds?: number | undefined;
  /**
   * Encrypts what memories, blocks and sessions say. Default: nothing is encrypted. A database that was opened with keys once is
   * opened with them from then on, by every server; rows that were written before stay as they are until they are sealed by
   * `reseal`. The current key of the server that was started last is the one that everything new is sealed with, by all of them.
   */
  readonly encryption?: EncryptionKeys | undefined;
  /** Gives the time, in milliseconds since 1970. Default: the database's clock, which all servers share. */
  readonly clock?: (() => Instant) | undefined;
  /** For how long a repeated request gets its first answer, in milliseconds. Default 7 days. */
  readonly requestRetentionMilliseconds?: number | undefined;
  /** About how many vectors the embedding cache holds; beyond it the oldest are dropped. Default 100,000. */
  readonly embeddingCacheRows?: number | undefined;
  /** Told of failures in the background. Default: a warning of the process. */
  readonly reportProblem?: ((error: unknown, activity: string) => void) | undefined;
}

const sevenDaysMilliseconds = 7 * 24 * 60 * 60 * 1000;
const pruneEveryMilliseconds = 60_000;
const lookAtVersionEveryMilliseconds = 60_000;

const state: Statement<{ readonly version: number | null; readonly role: string; readonly bypasses: boolean }> =
  statement(
    `SELECT (SELECT max(version) FROM schema_steps) AS version, rolname AS role, rolsuper OR rolbypassrls AS bypasses
       FROM pg_roles WHERE rolname = current_user`,
  );

/**
 * Opens the ledger in a PostgreSQL database, which any number of servers may have open.
 *
 * @throws LociError `STORE_UNAVAILABLE` when the server cannot be reached; `INVALID_CONFIGURATION` when it refuses the
 *   role, the role could see other tenants' rows, the schema is not there, or a key is not the one that had its id;
 *   `DATA_DIRECTORY_TOO_NEW`; `ENCRYPTION_KEY_MISSING` without the keys that the database needs
 */
export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<Ledger> {
  const schema = identifier(options.schema ?? "loci", "schema");
  const role = options.role === undefined ? undefined : identifier(options.role, "role");
  const { connectionString, ownerConnectionString, clock, reportProblem = warn } = options;
  const configuration = clientConfiguration(connectionString);
  const where = nameServer(configuration);
  const keys = new LedgerKeys(options.encryption);
  if (ownerConnectionString !== undefined) {
    const serviceRole = role ?? new Client(configuration).user ?? "";
    await migratePostgresLedger({ connectionString: ownerConnectionString, schema, serviceRole });
  }
  const pool = { ...configuration, max: options.maxConnections ?? 10 };
  const connections = new Connections({ pool, schema, role, where, ownSessions: options.listen !== false });
  try {
    await checkState(connections, schema);
    await prepareEncryption(connections, keys);
  } catch (error) {
    await connections.close(Promise.resolve());
    throw error;
  }
  const requestRetentionMilliseconds = options.requestRetentionMilliseconds ?? sevenDaysMilliseconds;
  const notifier = new CommitNotifier({
    connections,
    listener:
      options.listen === false
        ? undefined
        : { ...configuration, application_name: "loci listener", query_timeout: 5_000 },
    schema,
    pollMilliseconds: options.pollMilliseconds ?? 1_000,
    reportProblem,
  });
  const pruner = new Pruner(connections, {
    clock,
    requestRetentionMilliseconds,
    embeddingCacheRows: options.embeddingCacheRows ?? 100_000,
    everyMilliseconds: pruneEveryMilliseconds,
    reportProblem,
  });
  const schemaWatch = new SchemaWatch(connections, {
    schema,
    everyMilliseconds: lookAtVersionEveryMilliseconds,
    reportProblem,
  });
  return new PostgresLedger({
    connections,
    notifier,
    pruner,
    schemaWatch,
    schema,
    keys,
    clock,
    requestRetentionMilliseconds,
    ownerConnectionString,
  });
}

async function checkState(connections: Connections, schema: string): Promise<void> {
  const [found] = await connections.read({ everyTenant: true }, state, []);
  const version = found?.version ?? 0;
  checkVersion(version, schema, connections.where);
  if (version < migrations.length)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The schema ${schema} of ${connections.where} has version ${version}, and this version of Loci needs ${migrations.length}.`,
      resource: connections.where,
      advice: "Migrate it with the owner's connection string first.",
    });
  if (found?.bypasses !== false)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The role ${found?.role ?? ""} bypasses row-level security, which keeps tenants apart.`,
      field: "role",
      advice: "Serve as a role without SUPERUSER and BYPASSRLS, or name one to become in `role`.",
    });
}

function warn(error: unknown, activity: string): void {
  const reason = LociError.is(error) ? error.message : String(error);
  process.emitWarning(`Loci had a problem while ${activity}: ${reason}`, "LociLedgerWarning");
}
