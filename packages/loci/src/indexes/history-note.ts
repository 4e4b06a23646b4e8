import { open, readdir, readFile, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { HistoryNote } from "@loci/engine";
import { refuseFile, takeForMissing } from "../file-error.ts";
import type { IndexChoice } from "./index-choice.ts";
import { adapterOf } from "./open-indexes.ts";

const fileName = "ledger.json";

/**
 * Where a data directory notes which ledger its indexes follow: in the directory of the indexes, so that the note goes where
 * they go; for those of others and those in a database beside it.
 *
 * @param isShared whether other servers use the ledger, and so may use the same indexes in a database
 */
export function historyNote(choice: IndexChoice, directory: string, isShared: boolean): HistoryNote | undefined {
  const { name, place, ofEachServer, directoryName: own, hasTenantDirectories = false } = adapterOf(choice);
  const isOfServer = ofEachServer.vectors || ofEachServer.text === true;
  if (place === "process" || (isShared && !isOfServer)) return undefined;
  const path = own === undefined ? besideOf(name, directory) : join(directory, own, fileName);
  return {
    path: dirname(path),
    read: () => readFile(path, "utf8").catch((error: unknown) => takeForMissing(path, error)),
    // A data directory is opened with a note: this is what people see first on a disk that is full or not theirs.
    write: (value) => replace(path, value).catch((error: unknown) => refuseFile(path, error)),
    holdsRows: async () => {
      const names = await readdir(dirname(path)).catch((error: unknown) => takeForMissing(path, error) ?? []);
      // Loci's own keep a tenant in a directory that is named by a hash. Of the others only the note tells.
      return names.some((entry) => (hasTenantDirectories ? /^[0-9a-f]{40}$/.test(entry) : entry === basename(path)));
    },
  };
}

/** The note of indexes that have no directory of Loci's own: to be removed with them. */
export function besideOf(name: string, directory: string): string {
  return join(directory, `index-${name}.${fileName}`);
}

/** Readers, and whoever comes after a crash, see the old one or the new one. */
async function replace(path: string, value: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(value);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
