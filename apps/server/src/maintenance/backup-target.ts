import { lstat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { LociError } from "@loci/loci";

/** One name, which is no path, no hidden file and no option of a program. */
const backupName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * Where a backup of that name goes: into the server's backup directory and nowhere else, whoever asks.
 *
 * @param name a single name; the whole path of one in that directory is taken, too
 * @throws LociError `INVALID_REQUEST` for anything else, and when a link stands there
 */
export async function backupTarget(backupDirectory: string, name: string): Promise<string> {
  const isWhole = isAbsolute(name) && dirname(name) === backupDirectory;
  const single = isWhole ? relative(backupDirectory, name) : name;
  if (!backupName.test(single)) throw refuse("directory is not the name of a backup");
  const target = join(backupDirectory, single);
  const found = await lstat(target).catch(() => undefined);
  if (found?.isSymbolicLink() === true) throw refuse("directory names a link");
  return target;
}

function refuse(problem: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `${problem}.`,
    field: "directory",
    advice:
      "Use a name such as 2026-11-22: 1 to 128 of A-Z, a-z, 0-9, dot, dash and underscore. The server makes it in its backup_directory.",
  });
}
