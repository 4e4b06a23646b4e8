import { LociError } from "@loci/domain";
import { sqlStateOf } from "@loci/postgres-connection";

/** SQLSTATE classes and codes after which the same call may work: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const passing = /^(08...|25006|25P03|40001|40P01|53...|55P03|57014|57P..|58030)$/;
/** Who may connect, to which database, and what that role may do there. */
const notSetUp = /^(28...|3D000|3F000|42501|42703|42P07|0A000|58P01)$/;
const diskFull = "53100";
const undefinedTable = "42P01";
/** Also of the procedures that write words. */
const undefinedFunction = "42883";
const deadlock = "40P01";

/**
 * Makes a `LociError` of whatever was thrown while the database was used. PostgreSQL's own message may quote values, so
 * it goes no further than `cause`.
 */
export function toPostgresError(error: unknown): LociError {
  if (LociError.is(error)) return error;
  const state = sqlStateOf(error);
  if (state === undefined)
    // No answer from the server: what failed is the connection.
    return new LociError("STORE_UNAVAILABLE", {
      message: `PostgreSQL cannot be reached: ${networkCode(error) ?? "the connection was lost or not made in time"}. Nothing of the call was applied.`,
      advice: "Check that the server runs and can be reached. Loci connects again by itself.",
      cause: error,
    });
  const description = { cause: error, details: { sqlState: state } };
  if (state === diskFull)
    return new LociError("DISK_FULL", {
      ...description,
      message: "PostgreSQL could not grow: its disk is full. Nothing of the call was applied.",
      advice: "Free some space. The index then catches up by itself; what it held before can still be searched.",
    });
  if (passing.test(state))
    return new LociError("STORE_UNAVAILABLE", {
      ...description,
      message: `PostgreSQL could not do this now (SQLSTATE ${state}). Nothing of the call was applied.`,
      advice: "Repeat the call. If it happens again, look at the server's log.",
    });
  if (notSetUp.test(state))
    return new LociError("INVALID_CONFIGURATION", {
      ...description,
      message: `PostgreSQL refuses (SQLSTATE ${state}): the user, the database, the extension or a permission is missing, or a table is none of Loci's.`,
      advice: "See the README of @loci/store-pgvector for what it needs.",
    });
  if (state === undefinedTable || state === undefinedFunction)
    return new LociError("INVALID_CONFIGURATION", {
      ...description,
      message: `Tables of the indexes are not there any more (SQLSTATE ${state}): somebody has dropped them, or their schema, while they were in use.`,
      advice:
        "Make the schema again for the role that serves, and start the server again: it makes the tables and fills them from the ledger.",
    });
  return new LociError("INTERNAL", {
    ...description,
    message: `PostgreSQL answered with SQLSTATE ${state}, which was not expected.`,
    advice: "Please report this, with the SQLSTATE.",
  });
}

/** Whether PostgreSQL will say the same again: what was asked does not fit the tables there are, or may not be done. */
export function isRefused(error: unknown): boolean {
  return LociError.is(error) && (error.reason === "INTERNAL" || error.reason === "INVALID_CONFIGURATION");
}

/** Whether a table is not there, as after another server has dropped its collection. */
export function isUndefinedTable(error: unknown): boolean {
  return sqlStateOf(error) === undefinedTable;
}

/** Whether PostgreSQL has ended this because it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return sqlStateOf(error) === deadlock;
}

/** Such as `ECONNREFUSED`. */
function networkCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
