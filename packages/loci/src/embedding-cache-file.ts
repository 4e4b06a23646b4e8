import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddingCacheSnapshot } from "@loci/embedding";
import { refuseFile } from "./file-error.ts";

/** Before the entries stands whose they are, filled up so that what follows begins where numbers of any size may. */
const headerBytes = 64;

/**
 * Keeps the first layer of the embedding cache in the data directory. Losing the file costs time, never data. One of another
 * ledger, which may hold what was erased in this one, is not read.
 *
 * @param identity of the ledger
 */
export function embeddingCacheFile(directory: string, identity: string): EmbeddingCacheSnapshot {
  const path = join(directory, "embeddings.cache");
  const header = Buffer.alloc(headerBytes, " ");
  header.write(`loci ${identity}`);
  return {
    read: async () => {
      try {
        const bytes = await readFile(path);
        return bytes.subarray(0, headerBytes).equals(header) ? bytes.subarray(headerBytes) : undefined;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        refuseFile(path, error);
      }
    },
    write: async (bytes) => {
      const draft = `${path}.new`;
      try {
        await writeFile(draft, [header, bytes], { mode: 0o600 });
        await rename(draft, path);
      } catch (error) {
        refuseFile(path, error);
      }
    },
  };
}

/** Removes what was saved. */
export async function removeEmbeddingCacheFile(directory: string): Promise<void> {
  const path = join(directory, "embeddings.cache");
  await rm(path, { force: true });
  await rm(`${path}.new`, { force: true });
}
