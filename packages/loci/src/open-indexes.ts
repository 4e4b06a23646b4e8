import { join } from "node:path";
import { embeddingSpaceId, type Ref } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { TextIndex, VectorStore } from "@loci/store";
import { type ExactVectors, openEmbeddedStore } from "@loci/store-embedded";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";

/**
 * Where the indexes of a data directory live. `memory`: exact, in this process, made anew at every start from the ledger.
 * `embedded`: in files beside the ledger, searched in a thread of their own, for more memories than start-up should read.
 */
export type IndexKind = "memory" | "embedded";

export interface OpenIndexes {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  close(): Promise<void>;
}

/** Opens the indexes of a data directory. */
export async function openIndexes(
  kind: IndexKind,
  directory: string,
  ledger: Ledger,
  reportProblem: (error: unknown, activity: string) => void,
): Promise<OpenIndexes> {
  if (kind === "embedded")
    return openEmbeddedStore({
      directory: join(directory, "index"),
      exactVectors: vectorsOfRecord(ledger),
      reportProblem: (problem) => reportProblem(problem, "keeping the indexes"),
    });
  const vectorStore = openMemoryVectorStore();
  const textIndex = openMemoryTextIndex();
  return {
    vectorStore,
    textIndex,
    close: async () => {
      await vectorStore.close();
      await textIndex.close();
    },
  };
}

/** The ledger's float32 vectors of rows that are still current; the engine scores changed ones itself. */
function vectorsOfRecord(ledger: Ledger): ExactVectors {
  return async ({ tenant, space, rows }, call) => {
    const stored = await ledger.memories(
      tenant,
      rows.map(({ ref }) => ref),
      call,
    );
    const current = rows.flatMap(({ ref, version }) => {
      const found = stored.get(ref);
      return found?.memory.version === version ? [{ ref, contentHash: found.contentHash }] : [];
    });
    const hashes = current.map(({ contentHash }) => contentHash);
    const embeddings = await ledger.embeddings(tenant, embeddingSpaceId(space), hashes, call);
    const vectors = new Map<Ref, readonly Float32Array[]>();
    for (const { ref, contentHash } of current) {
      const found = embeddings.get(contentHash);
      if (found !== undefined) vectors.set(ref, found);
    }
    return vectors;
  };
}
