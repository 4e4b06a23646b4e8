import { rm } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "@loci/domain";
import type { TextIndex, VectorStore } from "@loci/store";

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
): Promise<{ readonly vectorStore: VectorStore; readonly textIndex: TextIndex; close(): Promise<void> }> {
  const { openLanceStore } = await import("@loci/store-lancedb").catch(refuseMissing);
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

function refuseMissing(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The index "lancedb" was chosen, but its package cannot be loaded: ${reason}.`,
    field: "index",
    advice: "Install it with npm install @loci/store-lancedb, or choose another index.",
    cause,
  });
}
