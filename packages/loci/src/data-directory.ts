import { existsSync } from "node:fs";
import { join } from "node:path";
import { LociError } from "@loci/domain";

/** @throws LociError `DATA_DIRECTORY_MISSING` when nothing was ever stored there */
export function checkDataDirectoryExists(directory: string): void {
  if (existsSync(join(directory, "ledger.sqlite"))) return;
  throw new LociError("DATA_DIRECTORY_MISSING", {
    message: `There is no Loci data in ${directory}.`,
    resource: directory,
    advice: "Remember something first, or name another directory, as with LOCI_DATA_DIR.",
  });
}
