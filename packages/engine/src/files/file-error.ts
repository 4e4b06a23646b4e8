import { LociError } from "@loci/domain";

const tooManyFiles = new Set(["EMFILE", "ENFILE"]);
const noSpace = new Set(["ENOSPC", "EDQUOT"]);
const notPermitted = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * What people are to be told of a file of theirs that could not be used: too many open files, a full disk, one that is not this
 * user's, links in a circle. Everything else stays what it was.
 *
 * @param name what errors call the file
 */
export function toFileError(name: string, cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (tooManyFiles.has(code))
    return new LociError("STORE_UNAVAILABLE", {
      message: `${name} cannot be opened: this process has as many files open as it may.`,
      resource: name,
      advice:
        "Raise the limit of open files (`ulimit -n`, LimitNOFILE of a systemd service), or find out what opens so many; then try again.",
      cause,
    });
  if (noSpace.has(code))
    return new LociError("DISK_FULL", {
      message: `${name} could not be written: the disk is full.`,
      resource: name,
      advice: "Free some space, then try again. The file is as it was.",
      cause,
    });
  if (notPermitted.has(code))
    return new LociError("INVALID_CONFIGURATION", {
      message: `${name} cannot be used: ${code}.`,
      resource: name,
      advice:
        "Check that this program's user may read the file, and may write into its folder where Loci is to change it.",
      cause,
    });
  if (code === "ELOOP")
    return new LociError("INVALID_REQUEST", {
      message: `${name} is a link that leads back to itself.`,
      resource: name,
      advice: "Put the file itself there.",
      cause,
    });
  return cause;
}
