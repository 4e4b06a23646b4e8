import { LociError } from "@loci/domain";
import type { Connections } from "../postgres/connections.ts";
import type { Transaction } from "../postgres/transaction.ts";
import { createRecentTable, lacksRecentTable, notesChanges } from "./recent-table.ts";
import { prepareExtension, prepareSchema, refuseLedger, removeEmptySchema } from "./schema-access.ts";
import { schemaVersion, tooNew } from "./schema-form.ts";
import {
  type CollectionTables,
  collectionTables,
  identifier,
  indexOfSetApart,
  type RowTables,
  textTables,
} from "./tables.ts";
import { createTextTables, listOfTextTables, renewTextTables } from "./text-schema.ts";

/**
 * 1 had a row for each term of each text, 2 no divisions, and their rows of vectors do not say which lie apart. 3 had each row's
 * fields and words by name.
 */
const versionsToRenew: ReadonlySet<number> = new Set([1, 2, 3]);
const oldestPgvector = "0.8.0";

export interface SchemaOptions {
  readonly schema: string;
  readonly owner: string | undefined;
  /** Of tables that are made. */
  readonly textPartitions: number;
  /** `words`: vectors are elsewhere, so that pgvector need not be there. */
  readonly holds: "words and vectors" | "words";
}

/**
 * Makes the tables of a schema that has none yet, whoever of several servers comes first. Where they are there already,
 * nothing but reading is asked of the role.
 *
 * @returns whether batches of words note what they have changed
 * @throws LociError `INVALID_CONFIGURATION` when the schema, the database or pgvector is none that Loci can use, or the
 *   schema is another owner's; `DATA_DIRECTORY_TOO_NEW` when a newer version has made it
 */
export async function openSchema(connections: Connections, options: SchemaOptions): Promise<boolean> {
  const { schema, owner, textPartitions } = options;
  const tables = textTables(schema);
  return connections.transaction(undefined, undefined, async (transaction) => {
    await refuseLedger(transaction, schema);
    if ((await versionOf(transaction, schema)) !== schemaVersion) {
      await lockSchemas(transaction);
      await makeTables(transaction, options);
    }
    if (owner !== undefined) await checkOwner(transaction, schema, owner);
    await makeRecentTable(transaction, tables, textPartitions);
    return notesChanges(transaction, tables);
  });
}

/** Indexes of an older version have no such table: nothing that older servers write or read is touched by making it. */
export async function makeRecentTable(
  transaction: Transaction,
  tables: Pick<RowTables, "schema" | "rows" | "recent">,
  partitions?: number,
): Promise<void> {
  if (!(await lacksRecentTable(transaction, tables))) return;
  await lockSchemas(transaction);
  if (await lacksRecentTable(transaction, tables))
    await transaction.query(createRecentTable(tables, partitions).join(";\n"));
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
    if ((await versionOf(transaction, schema)) === undefined) return;
    const tables = await collectionsOf(transaction, schema);
    const names = tables.flatMap(({ rows, checkpoints, recent }) => [rows, checkpoints, recent]);
    names.push(identifier(schema, "collections"), ...listOfTextTables(schema), identifier(schema, "schema_version"));
    await transaction.query(`DROP TABLE IF EXISTS ${names.join(", ")}`);
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

/** `undefined` where there are no tables. */
async function versionOf(transaction: Transaction, schema: string): Promise<number | undefined> {
  // Not to_regclass, which may remember that there was none before the lock was waited for.
  const [found] = await transaction.query(
    `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = $1 AND relname = 'schema_version'`,
    [schema],
  );
  if (found === undefined) return undefined;
  const versions = identifier(schema, "schema_version");
  const [row] = await transaction.query<{ version: number }>(`SELECT version FROM ${versions}`);
  return row?.version ?? Number.NaN;
}

async function collectionsOf(transaction: Transaction, schema: string): Promise<readonly CollectionTables[]> {
  const collections = identifier(schema, "collections");
  const numbers = await transaction.query<{ number: number }>(`SELECT number FROM ${collections}`);
  return numbers.map(({ number }) => collectionTables(schema, number));
}

/**
 * No row is written for it: those there are tell by their fields what lies apart, and keep these by name. The column has another
 * name, so that servers of the version before are refused instead of missing what is in new rows.
 */
function renewVectors(tables: CollectionTables, version: number): readonly string[] {
  const rename = `ALTER TABLE ${tables.rows} RENAME COLUMN fields TO field_values`;
  if (version > 2) return [rename];
  return [rename, `ALTER TABLE ${tables.rows} ADD COLUMN IF NOT EXISTS is_apart boolean`, indexOfSetApart(tables)];
}

/** Whatever of several servers comes first makes the tables, or gives those of the words their present form. */
async function makeTables(transaction: Transaction, options: SchemaOptions): Promise<void> {
  const { schema, textPartitions } = options;
  const version = await versionOf(transaction, schema);
  if (version === schemaVersion) return;
  if (version === undefined) return createTables(transaction, options);
  if (versionsToRenew.has(version)) {
    await checkMayRenew(transaction, schema);
    await transaction.query(renewTextTables(schema, textPartitions).join(";\n"));
    for (const tables of await collectionsOf(transaction, schema))
      await transaction.query(renewVectors(tables, version).join(";\n"));
    await transaction.query(`UPDATE ${identifier(schema, "schema_version")} SET version = $1`, [schemaVersion]);
    return;
  }
  if (version > schemaVersion) throw tooNew(schema, version);
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The schema ${schema} holds indexes of version ${String(version)}, but this Loci writes version ${schemaVersion}.`,
    field: "schema",
    advice: "Use another schema, or drop this one: its indexes are then made again from the ledger.",
  });
}

/** @throws LociError `INVALID_CONFIGURATION` when the tables are another role's */
async function checkMayRenew(transaction: Transaction, schema: string): Promise<void> {
  const [found] = await transaction.query<{ owner: string }>(
    `SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE oid = ANY($1::regclass[])
    AND NOT pg_has_role(relowner, 'USAGE') LIMIT 1`,
    [[textTables(schema).rows, identifier(schema, "schema_version")]],
  );
  if (found === undefined) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The words in the schema ${schema} have the form of an older Loci, and this role may not make their tables anew.`,
    field: "schema",
    advice: `Open it once as ${found.owner}, whose tables they are, and grant this role its rights to the new ones.`,
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

async function createTables(transaction: Transaction, { schema, textPartitions, holds }: SchemaOptions): Promise<void> {
  await prepareSchema(transaction, schema);
  await checkEncoding(transaction);
  if (holds !== "words") {
    await prepareExtension(transaction);
    await checkPgvector(transaction);
  }
  const statements = [
    `CREATE TABLE ${identifier(schema, "schema_version")} AS SELECT ${schemaVersion} AS version, NULL::text AS owner`,
    `CREATE TABLE ${identifier(schema, "collections")} (
      number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, space jsonb NOT NULL)`,
    ...createTextTables(schema, textPartitions),
  ];
  await transaction.query(statements.join(";\n"));
}

async function checkEncoding(transaction: Transaction): Promise<void> {
  const [database] = await transaction.query<{ encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  );
  const { encoding = "unknown" } = database ?? {};
  if (encoding === "UTF8") return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The database is encoded in ${encoding}, which cannot hold every text.`,
    advice: "Use a database with the encoding UTF8.",
  });
}

async function checkPgvector(transaction: Transaction): Promise<void> {
  const [database] = await transaction.query<{ pgvector: string; isOld: boolean }>(
    `SELECT extversion AS pgvector, string_to_array(extversion, '.')::int[] < string_to_array($1, '.')::int[] AS "isOld"
    FROM pg_extension WHERE extname = 'vector'`,
    [oldestPgvector],
  );
  const { pgvector = "none", isOld = true } = database ?? {};
  if (!isOld) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The database has pgvector ${pgvector}, which may return too few rows of a filtered search.`,
    advice: `Install pgvector ${oldestPgvector} or newer, then run ALTER EXTENSION vector UPDATE.`,
  });
}
