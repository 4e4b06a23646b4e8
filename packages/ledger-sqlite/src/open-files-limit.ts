import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { LociError } from "@loci/domain";

/** More than SQLite and a thread that starts open at once; some of it is closed again by the time this is asked. */
const neededFiles = 16;

/** Whether something failed because no more files can be opened, by what it says. */
export function saysTooManyFiles(error: unknown): boolean {
  return error instanceof Error && /\bE[MN]FILE\b|too many open files/i.test(error.message);
}

/** The same by trying: SQLite does not say why it could not open a file. */
export function cannotOpenFiles(): boolean {
  const opened: number[] = [];
  try {
    for (let count = 0; count < neededFiles; count++) opened.push(openSync(devNull, "r"));
    return false;
  } catch (error) {
    return saysTooManyFiles(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** The process, or the machine, has as many files open as it may. */
export function tooManyFiles(path: string, cause: unknown): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message: `${path} cannot be opened: this process has as many files open as it may. Nothing was written.`,
    resource: path,
    advice:
      "Raise the limit of open files (`ulimit -n`, LimitNOFILE of a systemd service), or find out what opens so many; then try again.",
    cause,
  });
}
