import { CallSignal, type CallOptions, type EmbeddingSpace, filterOperators, LociError } from "@loci/domain";
import {
  checkSameSpace,
  checkSpace,
  type CollectionId,
  collectionId,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { CollectionFiles, CollectionRecord } from "./collection-files.ts";
import { EmbeddedVectorCollection } from "./embedded-vector-collection.ts";
import type { ExactVectors } from "./exact-vectors.ts";
import type { IndexThread } from "./index-thread.ts";
import { WorkQueue } from "./segments/work-queue.ts";
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
  readonly #collections = new Map<CollectionId, EmbeddedVectorCollection>();
  /** Opening and dropping take turns. */
  readonly #turns = new WorkQueue();
  #isClosed = false;

  constructor(options: EmbeddedVectorStoreOptions) {
    this.#options = options;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    this.#check(id, options);
    checkSpace(space, capabilities);
    return this.#turns.run(async () => {
      this.#check(id, options);
      let collection = this.#collections.get(id);
      if (collection === undefined) {
        collection = this.#collection(await this.#record(id, space));
        this.#collections.set(id, collection);
      }
      checkSameSpace(id, collection.space, space);
      return collection;
    });
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    this.#check(id, options);
    await this.#turns.run(async () => {
      this.#check(id, options);
      const { files, thread, directory } = this.#options;
      this.#collections
        .get(id)
        ?.end(new LociError("COLLECTION_NOT_FOUND", { message: `The collection ${id} was dropped.`, resource: id }));
      this.#collections.delete(id);
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
    this.#isClosed = true;
    for (const collection of this.#collections.values()) collection.end(closed());
    this.#collections.clear();
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
    const { thread, exactVectors, exactRows } = this.#options;
    return new EmbeddedVectorCollection({ thread, exactVectors, exactRows, capabilities, space, directoryName });
  }

  #check(id: CollectionId, options: CallOptions | undefined): void {
    if (this.#isClosed) throw closed();
    using call = new CallSignal(options);
    call.throwIfAborted();
    collectionId(id);
  }
}

function closed(): LociError {
  return new LociError("CLOSED", { message: "The vector store is closed.", advice: "Open it again." });
}
