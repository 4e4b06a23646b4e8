import { accessSync, constants } from "node:fs";

/** Why a directory cannot be written to, and what to do about it. */
export interface WritingTrouble {
  readonly problem: string;
  readonly advice: string;
}

/**
 * What keeps from writing by the code that the system gives, which SQLite leaves out: nobody may write to a disk that is mounted
 * read-only, whoever owns the directory.
 */
export function writingTrouble(code: string | undefined): WritingTrouble | undefined {
  if (code !== "EROFS") return undefined;
  return {
    problem: "the file system is mounted read-only",
    advice:
      "Mount it for writing, or name a directory on another disk. A system mounts a disk so by itself when it fails: look at its log first.",
  };
}

/** The code with which the system refuses to write to a directory; `undefined`: it does not. */
export function codeOfWriting(directory: string): string | undefined {
  try {
    accessSync(directory, constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : undefined;
  }
}
