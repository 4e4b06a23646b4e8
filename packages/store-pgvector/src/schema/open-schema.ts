import { LociError } from "@loci/domain";
import type { Connections } from "../postgres/connections.ts";
import type { Transaction } from "../postgres/transaction.ts";
import { prepareSchema, refuseLedger, removeEmptySchema } from "./schema-access.ts";
import { collectionTables, createTenantTable, identifier, rowColumns, textTables } from "./tables.ts";

/** Of the tables. Indexes can be made anew, so another version is dropped and filled again, never migrated. */
const schemaVersion = 1;
const oldestPgvector = "0.8.0";

/**
 * Makes the tables of a schema that has none yet, whoever of several servers comes first. Where they are there already,
 * nothing but reading is asked of the role.
 *
 * @throws LociError `INVALID_CONFIGURATION` when the schema, the database or pgvector is none that Loci can use, or the
 *   schema is another owner's
 */
export async function openSchema(connections: Connections, schema: string, owner: string | undefined): Promise<void> {
  await connections.transaction(undefined, undefined, async (transaction) => {
    await refuseLedger(transaction, schema);
    if (!(await hasTables(transaction, schema))) {
      await lockSchemas(transaction);
      if (!(await hasTables(transaction, schema))) await createTables(transaction, schema);
    }
    if (owner !== undefined) await checkOwner(transaction, schema, owner);
  });
}

/**
 * Removes all that Loci has stored in a schema, and the schema unless something else is in it or the role could not make
 * it again.
 *
 * @throws LociError as `openSchema`
 */
export async function removeSchema(connections: Connections, schema: string): Promise<void> {
  await connections.transaction(undefined, undefined, async (transaction) => {
    await lockSchemas(transaction);
    if (!(await hasTables(transaction, schema))) return;
    const collections = identifier(schema, "collections");
    const numbers = await transaction.query<{ number: number }>(`SELECT number FROM ${collections}`);
    const { rows, checkpoints, postings, terms } = textTables(schema);
    const tables = numbers.flatMap(({ number }) => {
      const collection = collectionTables(schema, number);
      return [collection.rows, collection.checkpoints];
    });
    tables.push(collections, rows, checkpoints, postings, terms, identifier(schema, "schema_version"));
    await transaction.query(`DROP TABLE IF EXISTS ${tables.join(", ")}`);
    await removeEmptySchema(transaction, schema);
  });
}

/**
 * Makes servers that create or drop something take turns, until the transaction ends. One lock for all schemas of a
 * database, as they share the extension.
 */
export async function lockSchemas(transaction: Transaction): Promise<void> {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('loci indexes', 0))");
}

async function hasTables(transaction: Transaction, schema: string): Promise<boolean> {
  const versions = identifier(schema, "schema_version");
  // Not to_regclass, which may remember that there was none before the lock was waited for.
  const [found] = await transaction.query(
    `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = $1 AND relname = 'schema_version'`,
    [schema],
  );
  if (found === undefined) return false;
  const [row] = await transaction.query<{ version: number }>(`SELECT version FROM ${versions}`);
  if (row?.version === schemaVersion) return true;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The schema ${schema} holds indexes of version ${String(row?.version)}, but this Loci writes version ${schemaVersion}.`,
    field: "schema",
    advice: "Use another schema, or drop this one: its indexes are then made again from the ledger.",
  });
}

async function checkOwner(transaction: Transaction, schema: string, owner: string): Promise<void> {
  const versions = identifier(schema, "schema_version");
  const [row] = await transaction.query<{ owner: string | null }>(`SELECT owner FROM ${versions}`);
  if (row?.owner === owner) return;
  // Of several that are first at once one wins.
  const claimed = await transaction.query(`UPDATE ${versions} SET owner = $1 WHERE owner IS NULL RETURNING 1`, [owner]);
  if (claimed.length > 0) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The schema ${schema} holds the indexes of another ledger.`,
    field: "schema",
    advice:
      "Use a schema of its own for each ledger. After a backup was restored, drop the old schema or choose a new one.",
  });
}

async function createTables(transaction: Transaction, schema: string): Promise<void> {
  await prepareSchema(transaction, schema);
  await checkDatabase(transaction);
  const text = textTables(schema);
  const statements = [
    `CREATE TABLE ${identifier(schema, "schema_version")} AS SELECT ${schemaVersion} AS version, NULL::text AS owner`,
    `CREATE TABLE ${identifier(schema, "collections")} (
      number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, space jsonb NOT NULL)`,
    ...createTenantTable(
      text.rows,
      `${rowColumns}, length integer NOT NULL, terms jsonb NOT NULL, PRIMARY KEY (tenant, ref)`,
    ),
    // All of it is in the index, which a search reads and nothing else. Compared by bytes: a language's order costs more.
    ...createTenantTable(
      text.postings,
      `tenant text COLLATE "C" NOT NULL, term text COLLATE "C" NOT NULL, scope text COLLATE "C" NOT NULL, ref uuid NOT NULL,
      frequency integer NOT NULL, length integer NOT NULL,
      PRIMARY KEY (tenant, term, scope, ref) INCLUDE (frequency, length)`,
    ),
    ...createTenantTable(
      text.terms,
      `tenant text NOT NULL, term text COLLATE "C" NOT NULL, documents bigint NOT NULL, PRIMARY KEY (tenant, term)`,
    ),
    ...createTenantTable(
      text.checkpoints,
      `tenant text PRIMARY KEY, sequence bigint NOT NULL, documents bigint NOT NULL DEFAULT 0,
      total_length bigint NOT NULL DEFAULT 0`,
    ),
  ];
  await transaction.query(statements.join(";\n"));
}

async function checkDatabase(transaction: Transaction): Promise<void> {
  const [database] = await transaction.query<{ encoding: string; pgvector: string; isOld: boolean }>(
    `SELECT current_setting('server_encoding') AS encoding, extversion AS pgvector,
      string_to_array(extversion, '.')::int[] < string_to_array($1, '.')::int[] AS "isOld"
    FROM pg_extension WHERE extname = 'vector'`,
    [oldestPgvector],
  );
  const { encoding = "unknown", pgvector = "none", isOld = true } = database ?? {};
  if (isOld)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The database has pgvector ${pgvector}, which may return too few rows of a filtered search.`,
      advice: `Install pgvector ${oldestPgvector} or newer, then run ALTER EXTENSION vector UPDATE.`,
    });
  if (encoding !== "UTF8")
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The database is encoded in ${encoding}, which cannot hold every text.`,
      advice: "Use a database with the encoding UTF8.",
    });
}
