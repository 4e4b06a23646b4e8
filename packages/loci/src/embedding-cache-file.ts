import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddingCacheSnapshot } from "@loci/embedding";

/** Keeps the first layer of the embedding cache in the data directory. Losing the file costs time, never data. */
export function embeddingCacheFile(directory: string): EmbeddingCacheSnapshot {
  const path = join(directory, "embeddings.cache");
  return {
    read: async () => {
      try {
        return await readFile(path);
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    write: async (bytes) => {
      const draft = `${path}.new`;
      await writeFile(draft, bytes, { mode: 0o600 });
      await rename(draft, path);
    },
  };
}

/** Removes what was saved. */
export async function removeEmbeddingCacheFile(directory: string): Promise<void> {
  const path = join(directory, "embeddings.cache");
  await rm(path, { force: true });
  await rm(`${path}.new`, { force: true });
}
