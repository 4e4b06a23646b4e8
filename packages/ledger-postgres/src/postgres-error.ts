import { LociError } from "@loci/domain";
import { DatabaseError } from "pg";

/** The transaction can be repeated as it is: deadlocks, and what stricter isolation levels give up. */
const repeatable = new Set(["40001", "40P01"]);

/**
 * Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html. Messages of PostgreSQL are not
 * passed on: they may quote values.
 */
const unavailable: Readonly<Record<string, string>> = {
  "40001": "gave up a transaction that met another",
  "40P01": "gave up a transaction that met another",
  "25006": "is read-only, as a standby is",
  "53300": "has no connection left for this role",
  "53200": "is out of memory",
  "55P03": "kept a tenant's log locked for too long",
  "57014": "stopped a statement that took too long",
  "57P01": "is shutting down",
  "57P02": "has crashed and is recovering",
  "57P03": "is starting up",
  "57P05": "has ended an idle session",
  "25P03": "has ended a transaction that was idle for too long",
};

const misconfigured: Readonly<Record<string, string>> = {
  "28P01": "refused the password",
  "28000": "refused the user",
  // It names the database already.
  "3D000": "does not exist",
  "3F000": "does not have the schema",
  "42P01": "does not have the tables",
  "42703": "has tables of another version",
  "42501": "does not give this role the rights it needs",
  "22023": "does not have the role, or refused a setting",
  "42704": "does not have the role",
};

/** The server said no; the connection is as good as before. */
export function isAnswered(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity !== "FATAL" && error.severity !== "PANIC";
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof DatabaseError && repeatable.has(error.code ?? "");
}

/** Mistakes in the program or in what it read, never the socket's. */
const faults = [TypeError, RangeError, SyntaxError, ReferenceError];

/**
 * The connection broke, or could not be made.
 *
 * `DatabaseError` is what the server said; everything else comes from the socket or from `pg` about it.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (LociError.is(error) || faults.some((fault) => error instanceof fault)) return false;
  if (!(error instanceof DatabaseError)) return true;
  return error.code?.startsWith("57P") === true || error.code?.startsWith("08") === true;
}

/**
 * Makes a `LociError` of whatever was thrown while the database was used.
 *
 * @param where names the server without credentials
 * @param maybeWritten whether a commit was under way, so that nobody knows if it took place
 */
export function toLociError(error: unknown, where: string, maybeWritten = false): LociError {
  if (LociError.is(error)) return error;
  const code = error instanceof DatabaseError ? (error.code ?? "") : "";
  // Without its `detail`, which quotes rows.
  const cause = error instanceof DatabaseError ? new Error(`SQLSTATE ${code}`) : error;
  const description = { resource: where, cause };
  if (maybeWritten && isConnectionLoss(error))
    return new LociError("STORE_UNAVAILABLE", {
      ...description,
      message: `${where} was lost during a commit. What was not acknowledged may or may not be stored.`,
      advice: "Repeat the write with the same request id: it is then stored once.",
    });
  if (code === "53100")
    return new LociError("DISK_FULL", {
      ...description,
      message: `${where} has no space left on its disk. Nothing was written.`,
      advice: "Give the database more space, then repeat the call. What was stored before can still be read.",
    });
  if (code === "22021" || code === "22P05")
    return new LociError("INVALID_TEXT", {
      ...description,
      message: `${where} cannot store the character U+0000 in names, tags and ids.`,
      advice: "Leave it out.",
    });
  const problem = misconfigured[code];
  if (problem !== undefined)
    return new LociError("INVALID_CONFIGURATION", {
      ...description,
      message: `${where} ${problem} (SQLSTATE ${code}).`,
      advice: "Check the connection string, the role's grants, and that the schema was migrated by its owner.",
    });
  const state = unavailable[code];
  if (state !== undefined || isConnectionLoss(error)) {
    const why = state ?? (code === "" ? `cannot be reached: ${reasonOf(error)}` : `has a problem`);
    return new LociError("STORE_UNAVAILABLE", {
      ...description,
      message: `${where} ${why}${code === "" ? "" : ` (SQLSTATE ${code})`}. Nothing was acknowledged.`,
      advice: "Check that the server runs and can be reached, then repeat the call.",
    });
  }
  return new LociError("INTERNAL", {
    ...description,
    message: `${where} refused a statement of the ledger (SQLSTATE ${code === "" ? "unknown" : code}).`,
    advice: "Please report this, with the message.",
  });
}

/** Messages of sockets and of `pg` about them name hosts, ports and time limits, never values. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
