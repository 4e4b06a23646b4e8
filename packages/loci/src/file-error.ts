import { LociError } from "@loci/domain";
import { saysTooManyFiles, tooManyFiles } from "@loci/ledger-sqlite";

/**
 * Throws what people are to be told of a file that could not be used: a full disk, too many open files, one that is not theirs.
 * Everything else stays the system's own error.
 */
export function refuseFile(path: string, cause: unknown): never {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (saysTooManyFiles(cause)) throw tooManyFiles(path, cause);
  if (code === "ENOSPC" || code === "EDQUOT")
    throw new LociError("DISK_FULL", {
      message: `${path} could not be written: the disk is full.`,
      resource: path,
      advice: "Free some space, then try again. Nothing that was stored is lost.",
      cause,
    });
  if (["EACCES", "EPERM", "EROFS"].includes(code))
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${path} cannot be used: ${code}.`,
      resource: path,
      advice: "Check that this user may read and write the data directory and everything in it.",
      cause,
    });
  throw cause;
}

/** Takes a file that could not be read for one that is not there, unless the process has too many open: it may be there then. */
export function takeForMissing(path: string, cause: unknown): undefined {
  if (saysTooManyFiles(cause)) throw tooManyFiles(path, cause);
  return undefined;
}
