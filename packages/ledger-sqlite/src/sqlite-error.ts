import { dirname } from "node:path";
import { LociError } from "@loci/domain";
import { cannotOpenFiles, tooManyFiles } from "./open-files-limit.ts";
import { codeOfWriting, writingTrouble } from "./writable-directory.ts";

/** Primary result codes of SQLite (https://sqlite.org/rescode.html): the low byte of an error's code. */
const resultCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  /** The locks of the file were given to others again and again. */
  protocol: 15,
  notDatabase: 26,
};

/**
 * The memory that connections share, which is a file beside the ledger, could not be made as large as it must be. SQLite does not say that the disk
 * is full then, as it does of all other files.
 */
const noSharedMemory = 10 | (19 << 8);

/** Makes a `LociError` of whatever was thrown while a ledger file was used. SQLite's messages never hold row values. */
export function toLociError(error: unknown, path: string): LociError {
  if (LociError.is(error)) return error;
  const description = { resource: path, cause: error };
  const detail = error instanceof Error ? error.message : String(error);
  const extended = extendedCodeOf(error);
  if (extended === noSharedMemory)
    return new LociError("DISK_FULL", {
      ...description,
      message: `${path} cannot be opened: the disk is full, and SQLite needs some room beside it.`,
      advice: "Free some space, then try again. Nothing that was stored is lost.",
    });
  const code = extended && extended & 0xff;
  if (code === resultCodes.cannotOpen && cannotOpenFiles()) return tooManyFiles(path, error);
  switch (code) {
    case resultCodes.full:
      return new LociError("DISK_FULL", {
        ...description,
        message: `${path} could not grow: the disk is full. Nothing was written.`,
        advice: "Free some space, then repeat the call. What was stored before can still be read.",
      });
    case resultCodes.corrupt:
    case resultCodes.notDatabase:
      return new LociError("DATA_DIRECTORY_CORRUPT", {
        ...description,
        message: `${path} is damaged: ${detail}.`,
        advice:
          "Stop everything that uses the directory, keep a copy of it, and restore the last backup. " +
          "Without one, `sqlite3 ledger.sqlite .recover` saves what can still be read.",
      });
    case resultCodes.busy:
    case resultCodes.locked:
    case resultCodes.protocol:
      return new LociError("STORE_UNAVAILABLE", {
        ...description,
        message: `${path} is held by another program: ${detail}.`,
        advice: "Close the program that has it open, such as a database browser, and repeat the call.",
      });
    case resultCodes.readOnly:
    case resultCodes.cannotOpen: {
      const trouble = writingTrouble(codeOfWriting(dirname(path)));
      return new LociError("INVALID_CONFIGURATION", {
        ...description,
        message: `${path} cannot be opened for writing: ${trouble?.problem ?? detail}.`,
        advice: trouble?.advice ?? "Check that the directory exists and that this user may write to it.",
      });
    }
    case resultCodes.ioError:
      return new LociError("STORE_UNAVAILABLE", {
        ...description,
        message: `${path} could not be read or written: ${detail}. Nothing was acknowledged.`,
        advice: "Check the disk and its free space, then repeat the call.",
      });
    default:
      return new LociError("INTERNAL", {
        ...description,
        message: `The ledger failed unexpectedly: ${detail}.`,
        advice: "Please report this, with the message.",
      });
  }
}

/** Whether another connection, of this or another program, has the file. */
export function isHeld(error: unknown): boolean {
  const extended = extendedCodeOf(error);
  const code = extended && extended & 0xff;
  return code === resultCodes.busy || code === resultCodes.locked;
}

function extendedCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode;
}
