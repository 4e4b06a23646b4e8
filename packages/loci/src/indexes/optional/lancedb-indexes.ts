import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { IndexAdapter } from "@loci/store";
import { missingPackage } from "../missing-package.ts";

/** Written out: whoever has not installed the package has its types neither. */
interface Options {
  /** Vectors are compared exactly with up to this many rows of the scopes asked for, approximately above. Default 50,000. */
  readonly exactRows?: number | undefined;
}

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
    const { openLanceStore } = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ "@loci/store-lancedb"
    ).catch(missingPackage("@loci/store-lancedb"));
    return openLanceStore({ directory: join(directory, directoryName), exactRows, reportProblem });
  },
  remove: (_options, { directory }) => rm(join(directory, directoryName), { recursive: true, force: true }),
};
