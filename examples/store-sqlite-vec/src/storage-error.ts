import { LociError } from "@loci/domain";

/** SQLITE_FULL, a primary result code (https://sqlite.org/rescode.html): the low byte of an error's code. */
const full = 13;

/** Does work on the file; what SQLite throws becomes a `LociError`. SQLite's messages never hold the values of rows. */
export function onFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (LociError.is(error) || !isSqliteError(error)) throw error;
    const description = { resource: path, cause: error };
    if ((error.errcode & 0xff) === full)
      throw new LociError("DISK_FULL", {
        ...description,
        message: `${path} could not grow: the disk is full. Nothing was written.`,
        advice: "Free some space, then repeat the call.",
      });
    throw new LociError("STORE_UNAVAILABLE", {
      ...description,
      message: `${path} could not be used: ${error.message}.`,
      advice:
        "See that no other process has it open and that the disk is well. A damaged file can be removed: it is made anew.",
    });
  }
}

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}
