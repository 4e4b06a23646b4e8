import { LociError } from "@loci/domain";

const noSpace = new Set(["28", "122", "ENOSPC", "EDQUOT"]);
const notPermitted = new Set(["1", "13", "30", "EPERM", "EACCES", "EROFS"]);

/**
 * Makes a `LociError` of whatever LanceDB, SQLite or the file system threw. LanceDB's messages quote filters, and with them
 * what people asked and wrote: only the system's error number is taken from them.
 */
export function toStorageError(error: unknown, path: string): LociError {
  if (LociError.is(error)) return error;
  if (corruptCodes.has(sqliteCode(error) ?? 0)) return damaged(path, "is not what was written");
  const code = systemCode(error);
  const resource = path;
  if (code !== undefined && noSpace.has(code))
    return new LociError("DISK_FULL", {
      resource,
      message: `${path} could not grow: the disk is full. Nothing of the call was acknowledged.`,
      advice: "Free some space. The index then catches up by itself; what it held before can still be searched.",
    });
  if (code !== undefined && notPermitted.has(code))
    return new LociError("INVALID_CONFIGURATION", {
      resource,
      message: `${path} cannot be used: system error ${code}.`,
      advice: "Check that this user may read and write the index directory.",
    });
  if (code !== undefined)
    return new LociError("STORE_UNAVAILABLE", {
      resource,
      message: `${path} could not be read or written: system error ${code}. Nothing of the call was acknowledged.`,
      advice: "Check the disk and the limit of open files, then repeat the call.",
    });
  return new LociError("INTERNAL", {
    resource,
    message: `LanceDB failed in ${path}${kindOf(error)}.`,
    advice: "Please report this, with the message. Opening the index again checks its files and mends it.",
  });
}

/** A file that is missing or not what was written. The table then begins anew, and is filled from the ledger. */
export function damaged(path: string, problem: string): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    resource: path,
    message: `${path} ${problem}.`,
    advice: "Nothing is lost: this index is built again from the ledger. If it happens again, check the disk.",
  });
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === "ERR_SQLITE_ERROR") return sqliteCodes.get(sqliteCode(error) ?? 0);
  return code !== undefined && /^E[A-Z0-9]+$/.test(code) ? code : /\(os error (\d{1,3})\)/.exec(error.message)?.[1];
}

/** SQLite's primary result code; `undefined` for an error that is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const corruptCodes: ReadonlySet<number> = new Set([11, 26]);

/** SQLite's result codes for what the system refused. */
const sqliteCodes: ReadonlyMap<number, string> = new Map([
  [8, "EROFS"],
  [10, "EIO"],
  [13, "ENOSPC"],
  [14, "EACCES"],
]);

/** LanceDB's own name for what went wrong, such as `LanceError(IO)`. */
function kindOf(error: unknown): string {
  const kind = error instanceof Error ? /LanceError\((\w{1,40})\)/.exec(error.message)?.[1] : undefined;
  return kind === undefined ? "" : ` (${kind})`;
}

export function closed(): LociError {
  return new LociError("CLOSED", { message: "The store is closed.", advice: "Open it again." });
}
