import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { IndexAdapter } from "@loci/store";
import type { LanceStoreOptions } from "@loci/store-lancedb";
import { missingPackage } from "../missing-package.ts";

type Options = Pick<LanceStoreOptions, "exactRows">;

const directoryName = "index-lancedb";

/** On LanceDB, for more memories than fit in memory. Needs the package `@loci/store-lancedb` to be installed. */
export const lancedbIndexes: IndexAdapter<"lancedb", "directory", Options> = {
  name: "lancedb",
  title: "LanceDB",
  place: "directory",
  directoryName,
  ofEachServer: { vectors: true, text: true },
  notErased: [],
  settings: [],
  /** Loads LanceDB only now: its native code is 190 MB, which nobody else should pay for. */
  open: async ({ exactRows }, { directory, reportProblem }) => {
    const { openLanceStore } = await import("@loci/store-lancedb").catch(missingPackage("@loci/store-lancedb"));
    return openLanceStore({ directory: join(directory, directoryName), exactRows, reportProblem });
  },
  remove: (_options, { directory }) => rm(join(directory, directoryName), { recursive: true, force: true }),
};
