import { existsSync } from "node:fs";
import { join } from "node:path";
import { LociError } from "@loci/domain";

/**
 * @throws LociError `DATA_DIRECTORY_MISSING` when nothing was ever stored there; `DATA_DIRECTORY_CORRUPT` when indexes are there, but
 *   not the ledger that they were made from
 */
export function checkDataDirectoryExists(directory: string): void {
  const ledger = join(directory, "ledger.sqlite");
  if (existsSync(ledger)) return;
  if (existsSync(join(directory, "index")))
    throw new LociError("DATA_DIRECTORY_CORRUPT", {
      message: `${ledger} is not there, but indexes are there: the ledger was probably lost.`,
      resource: ledger,
      advice: "Put it back, or restore a backup into a new directory. To begin without the memories, remove `index`.",
    });
  throw new LociError("DATA_DIRECTORY_MISSING", {
    message: `There is no Loci data in ${directory}.`,
    resource: directory,
    advice: "Remember something first, or name another directory, as with LOCI_DATA_DIR.",
  });
}
