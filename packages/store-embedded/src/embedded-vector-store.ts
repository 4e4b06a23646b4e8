import { type CallOptions, type EmbeddingSpace, filterOperators } from "@loci/domain";
import {
  type ExactVectors,
  type CollectionId,
  OpenCollections,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { CollectionFiles, CollectionRecord } from "./collection-files.ts";
import { EmbeddedVectorCollection } from "./embedded-vector-collection.ts";
import type { IndexThread } from "./index-thread.ts";
import { toStorageError } from "./storage/storage-error.ts";

const capabilities: VectorStoreCapabilities = {
  similarity: "exact",
  filterOperators,
  visibility: "immediate",
  durable: true,
  // Queries are 16-bit, and their sums with int8 rows must fit 32 bits with room for rounding.
  maxDimensions: 65_536,
  // Every row that is returned is compared in float32.
  maxLimit: 100_000,
};

export interface EmbeddedVectorStoreOptions {
  readonly directory: string;
  readonly thread: IndexThread;
  readonly files: CollectionFiles;
  readonly exactVectors: ExactVectors;
  /** As in the options of the whole store. */
  readonly exactRows: number;
}

/** Collections of one directory, all in one index thread. */
export class EmbeddedVectorStore implements VectorStore {
  readonly name = "embedded";
  readonly capabilities: VectorStoreCapabilities = capabilities;
  readonly #options: EmbeddedVectorStoreOptions;
  readonly #collections = new OpenCollections<EmbeddedVectorCollection>(capabilities);

  constructor(options: EmbeddedVectorStoreOptions) {
    this.#options = options;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    return this.#collections.open(
      id,
      space,
      options,
      async (known) => known ?? this.#collection(await this.#record(id, space)),
    );
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    await this.#collections.drop(id, options, async () => {
      const { files, thread, directory } = this.#options;
      try {
        const record = await files.read(id);
        if (record === undefined) return;
        await files.remove(id);
        await thread.perform({ type: "drop", name: record.directoryName });
      } catch (error) {
        throw toStorageError(error, directory);
      }
    });
  }

  async close(): Promise<void> {
    await this.#collections.close();
  }

  async #record(id: CollectionId, space: EmbeddingSpace): Promise<CollectionRecord> {
    const { files, directory } = this.#options;
    try {
      return (await files.read(id)) ?? (await files.make(id, space));
    } catch (error) {
      throw toStorageError(error, directory);
    }
  }

  #collection({ space, directoryName }: CollectionRecord): EmbeddedVectorCollection {
    const { directory, thread, exactVectors, exactRows } = this.#options;
    return new EmbeddedVectorCollection({
      directory,
      thread,
      exactVectors,
      exactRows,
      capabilities,
      space,
      directoryName,
    });
  }
}
