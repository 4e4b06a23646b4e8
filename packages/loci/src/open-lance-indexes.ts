import { rm } from "node:fs/promises";
import { join } from "node:path";
import { missingPackage } from "./missing-package.ts";
import type { OpenedIndexes } from "./opened-indexes.ts";

/** Indexes on LanceDB, for more memories than fit in memory. Needs the package `@loci/store-lancedb` to be installed. */
export interface LanceIndex {
  readonly kind: "lancedb";
  /**
   * Among more rows than this searches are approximate, by an index that is built once a collection is that large. With
   * `Infinity` they never are. Default 50,000.
   */
  readonly exactRows?: number | undefined;
}

const directoryName = "index-lancedb";

/** Opens the indexes, and loads LanceDB only now: its native code is 190 MB, which nobody else should pay for. */
export async function openLanceIndexes(
  { exactRows }: Partial<LanceIndex>,
  directory: string,
  reportProblem: (error: unknown, activity: string) => void,
): Promise<OpenedIndexes> {
  const { openLanceStore } = await import("@loci/store-lancedb").catch(missingPackage("@loci/store-lancedb"));
  return openLanceStore({
    directory: join(directory, directoryName),
    exactRows,
    reportProblem: (problem) => reportProblem(problem, "keeping the indexes"),
  });
}

/** Removes them from a data directory. */
export async function removeLanceIndexes(directory: string): Promise<void> {
  await rm(join(directory, directoryName), { recursive: true, force: true });
}
