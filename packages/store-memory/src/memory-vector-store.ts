import { type CallOptions, type EmbeddingSpace, filterOperators } from "@loci/domain";
import {
  type CollectionId,
  OpenCollections,
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
  readonly #collections = new OpenCollections<MemoryVectorCollection>(capabilities);

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    const make = (): MemoryVectorCollection => new MemoryVectorCollection({ ...space }, capabilities);
    return this.#collections.open(id, space, options, (known) => known ?? make());
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    // Ending it lets go of its rows.
    await this.#collections.drop(id, options, () => undefined);
  }

  async close(): Promise<void> {
    await this.#collections.close();
  }
}
