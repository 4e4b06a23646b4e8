import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fewChanges, openEmbeddedStore } from "@loci/store-embedded";
import type { Words } from "./words.ts";

/** Words in files of the data directory, where the ledger is in one, too. */
export function wordsInFiles(directory: string): Words {
  return {
    open: async (directoryName, place) =>
      openEmbeddedStore({ ...place, directory: join(directory, directoryName), maxUnfiledChanges: fewChanges }),
    remove: (directoryName) => rm(join(directory, directoryName), { recursive: true, force: true }),
  };
}
