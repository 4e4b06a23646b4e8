import { LociError } from "@loci/domain";
import { toLociError } from "./sqlite-error.ts";

/** Makes a `LociError` of what was thrown while the file of a directory's lock was used: it holds nothing that could be lost. */
export function toLockError(error: unknown, path: string): LociError {
  const known = toLociError(error, path);
  if (known.reason !== "DATA_DIRECTORY_CORRUPT") return known;
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: known.message,
    resource: path,
    advice: `Nothing is lost: the file holds no data. See that no process has the directory open, then remove ${path}: it is made again.`,
    cause: error,
  });
}
