import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { IndexAdapter } from "@loci/store";

const directoryName = "index";

/** In files beside the ledger, searched in a thread of their own, for more memories than start-up should read. */
export const embeddedIndexes: IndexAdapter<"embedded", "directory"> = {
  name: "embedded",
  title: "files of Loci's own",
  place: "directory",
  directoryName,
  hasTenantDirectories: true,
  ofEachServer: { vectors: true, text: true },
  notErased: [],
  settings: [],
  open: async (_options, { directory, ledger, exactVectors, reportProblem }) => {
    const { fewChanges, openEmbeddedStore } = await import("./open-embedded-store.ts");
    return openEmbeddedStore({
      directory: join(directory, directoryName),
      ledger,
      exactVectors,
      reportProblem,
      maxUnfiledChanges: fewChanges,
    });
  },
  remove: (_options, { directory }) => rm(join(directory, directoryName), { recursive: true, force: true }),
};
