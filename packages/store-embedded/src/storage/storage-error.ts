import { LociError } from "@loci/domain";

const noSpace = new Set(["ENOSPC", "EDQUOT"]);
const tooManyFiles = new Set(["EMFILE", "ENFILE"]);
const notPermitted = new Set(["EACCES", "EPERM", "EROFS"]);

/** Makes a `LociError` of whatever was thrown while a file of the index was used. */
export function toStorageError(error: unknown, path: string): LociError {
  if (LociError.is(error)) return error;
  const description = { resource: path, cause: error };
  const code = errorCode(error) ?? "";
  if (noSpace.has(code))
    return new LociError("DISK_FULL", {
      ...description,
      message: `${path} could not grow: the disk is full. Nothing of the call was applied.`,
      advice: "Free some space. The index then catches up by itself; what it held before can still be searched.",
    });
  if (tooManyFiles.has(code))
    return new LociError("STORE_UNAVAILABLE", {
      ...description,
      message: `${path} could not be opened: this process has as many files open as it may. Nothing of the call was applied.`,
      advice: "Raise the limit of open files (`ulimit -n`). The index then catches up by itself.",
    });
  if (notPermitted.has(code))
    return new LociError("INVALID_CONFIGURATION", {
      ...description,
      message: `${path} cannot be used: ${code}.`,
      advice: "Check that this user may read and write the index directory.",
    });
  if (code !== "")
    return new LociError("STORE_UNAVAILABLE", {
      ...description,
      message: `${path} could not be read or written: ${code}. Nothing of the call was applied.`,
      advice: "Check the disk, then repeat the call.",
    });
  return new LociError("INTERNAL", {
    ...description,
    message: `The index failed unexpectedly: ${error instanceof Error ? error.message : String(error)}.`,
    advice: "Please report this, with the message.",
  });
}

/** A file that is missing, cut short or not what was written. The index is then built again from the ledger. */
export function damaged(path: string, problem: string, cause?: unknown): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `${path} ${problem}.`,
    resource: path,
    advice: "Nothing is lost: this index is built again from the ledger. If it happens again, check the disk.",
    cause,
  });
}

/** The system's code of a failed call, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
