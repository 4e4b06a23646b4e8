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
import { MemoryVectorCollection } from "./memory-vector-collection.ts";

const capabilities: VectorStoreCapabilities = {
  similarity: "exact",
  filterOperators,
  visibility: "immediate",
  durable: false,
  // More than any model makes: a larger number is a mistake.
  maxDimensions: 65_536,
  maxLimit: Number.MAX_SAFE_INTEGER,
};

/** Opens an empty vector store in this process's memory. Exact. Everything is gone after `close`. */
export function openMemoryVectorStore(): VectorStore {
  return new MemoryVectorStore();
}

class MemoryVectorStore implements VectorStore {
  readonly name = "memory";
  readonly capabilities = capabilities;
  readonly #collections = new Map<CollectionId, MemoryVectorCollection>();
  #isClosed = false;

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    this.#check(id, options);
    checkSpace(space, capabilities);
    let collection = this.#collections.get(id);
    if (collection === undefined) {
      collection = new MemoryVectorCollection({ ...space }, capabilities);
      this.#collections.set(id, collection);
    }
    checkSameSpace(id, collection.space, space);
    return collection;
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    this.#check(id, options);
    this.#collections
      .get(id)
      ?.end(new LociError("COLLECTION_NOT_FOUND", { message: `The collection ${id} was dropped.`, resource: id }));
    this.#collections.delete(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const collection of this.#collections.values()) collection.end(closed());
    this.#collections.clear();
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
