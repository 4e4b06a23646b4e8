import { LociError } from "@loci/domain";
import type { Transaction } from "../postgres/transaction.ts";

/** What the role may do, and what is there. */
interface Access {
  readonly role: string;
  readonly database: string;
  readonly isThere: boolean;
  readonly mayMakeSchemas: boolean;
  readonly mayMakeTables: boolean;
}

/**
 * Makes the schema where it is missing and the role may. PostgreSQL asks for the right to make
 * schemas also where the schema is there, so nothing is made that is there.
 *
 * @throws LociError `INVALID_CONFIGURATION` with the statement that a superuser has to run
 */
export async function prepareSchema(transaction: Transaction, schema: string): Promise<void> {
  const access = await accessTo(transaction, schema);
  const { role, database, isThere, mayMakeSchemas, mayMakeTables } = access;
  if (isThere ? !mayMakeTables : !mayMakeSchemas)
    throw new LociError("INVALID_CONFIGURATION", {
      message: isThere
        ? `The role ${role} may not make tables in the schema ${schema} of the database ${database}.`
        : `There is no schema ${schema} in the database ${database}, and the role ${role} may not make one.`,
      field: "schema",
      advice: isThere
        ? `As a superuser, in that database: ALTER SCHEMA "${schema}" OWNER TO "${role}". Or name another schema.`
        : `As a superuser, in that database: CREATE SCHEMA "${schema}" AUTHORIZATION "${role}".`,
    });
  if (!isThere) await transaction.query(`CREATE SCHEMA "${schema}"`);
}

/**
 * Makes the extension where it is missing and the role may.
 *
 * @throws LociError `INVALID_CONFIGURATION` with the statement that a superuser has to run
 */
export async function prepareExtension(transaction: Transaction): Promise<void> {
  const [found] = await transaction.query("SELECT 1 FROM pg_extension WHERE extname = 'vector'");
  if (found === undefined) await makeExtension(transaction);
}

/**
 * Indexes are dropped and made again; memories are not. So no schema holds both.
 *
 * @throws LociError `INVALID_CONFIGURATION` when the schema is a ledger's
 */
export async function refuseLedger(transaction: Transaction, schema: string): Promise<void> {
  const [found] = await transaction.query(
    `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = $1 AND relname = 'schema_steps'`,
    [schema],
  );
  if (found === undefined) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The schema ${schema} holds the memories of a ledger, not indexes.`,
    field: "schema",
    advice: "Name another schema for the indexes. Do not drop this one: what is in it cannot be made again.",
  });
}

/** Keeps a schema that somebody else had to make: without it the role could not have indexes here again. */
export async function removeEmptySchema(transaction: Transaction, schema: string): Promise<void> {
  const { mayMakeSchemas } = await accessTo(transaction, schema);
  const [other] = await transaction.query("SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1) LIMIT 1", [
    `"${schema}"`,
  ]);
  if (mayMakeSchemas && other === undefined) await transaction.query(`DROP SCHEMA "${schema}"`);
}

async function accessTo(transaction: Transaction, schema: string): Promise<Access> {
  const [access] = await transaction.query<Access>(
    `SELECT current_user AS role, current_database() AS database, namespace.oid IS NOT NULL AS "isThere",
      has_database_privilege(current_database(), 'CREATE') AS "mayMakeSchemas",
      coalesce(has_schema_privilege(namespace.oid, 'CREATE') AND has_schema_privilege(namespace.oid, 'USAGE'), false)
        AS "mayMakeTables"
    FROM (SELECT (SELECT oid FROM pg_namespace WHERE nspname = $1) AS oid) AS namespace`,
    [schema],
  );
  if (access === undefined) throw new Error("A query of one row had none.");
  return access;
}

async function makeExtension(transaction: Transaction): Promise<void> {
  const [who] = await transaction.query<Pick<Access, "role" | "database">>(
    "SELECT current_user AS role, current_database() AS database",
  );
  try {
    await transaction.query("CREATE EXTENSION vector");
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "INVALID_CONFIGURATION") throw error;
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The database ${who?.database} has no pgvector, and the role ${who?.role} cannot add it.`,
      advice:
        "Install pgvector on the server if it is not there. Then, as a superuser, in that database: CREATE EXTENSION vector.",
      details: error.details,
      cause: error.cause,
    });
  }
}
