import { CallSignal, type CallOptions, type EmbeddingSpace, filterOperators, LociError } from "@loci/domain";
import {
  checkSpace,
  type CollectionId,
  collectionId,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { CheckedOptions, IndexKind } from "./pgvector-store-options.ts";
import { droppedCollection, PgvectorVectorCollection } from "./pgvector-vector-collection.ts";
import type { Connections } from "./postgres/connections.ts";
import { Collections } from "./schema/collections.ts";

/** What pgvector's type holds, and what its HNSW index takes at half precision. */
const maxDimensions: Readonly<Record<IndexKind, number>> = { none: 16_000, hnsw: 4_000 };

/** The collections of one schema. */
export class PgvectorVectorStore implements VectorStore {
  readonly name = "pgvector";
  readonly capabilities: VectorStoreCapabilities;
  readonly #connections: Connections;
  readonly #options: CheckedOptions;
  readonly #collections: Collections;
  readonly #open = new Map<CollectionId, PgvectorVectorCollection>();
  #isClosed = false;

  constructor(connections: Connections, options: CheckedOptions) {
    this.#connections = connections;
    this.#options = options;
    this.#collections = new Collections(connections, options.schema);
    this.capabilities = {
      similarity: options.index === "none" ? "exact" : "approximate",
      filterOperators,
      visibility: "immediate",
      durable: true,
      maxDimensions: maxDimensions[options.index],
      // Every row that is returned is read with its vector.
      maxLimit: 100_000,
    };
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    this.#check(id, options);
    checkSpace(space, this.capabilities);
    const { index, exactRows } = this.#options;
    const tables = await this.#collections.open(id, space, index, options);
    this.#check(id, options);
    let collection = this.#open.get(id);
    if (collection?.tables.rows !== tables.rows) {
      // Dropped and made again by another server.
      collection?.end(droppedCollection(id));
      collection = new PgvectorVectorCollection({
        id,
        connections: this.#connections,
        tables,
        space: { ...space },
        capabilities: this.capabilities,
        exactRows: index === "none" ? undefined : exactRows,
      });
      this.#open.set(id, collection);
    }
    return collection;
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    this.#check(id, options);
    await this.#collections.drop(id, options);
    this.#open.get(id)?.end(droppedCollection(id));
    this.#open.delete(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const collection of this.#open.values()) collection.end(closed());
    this.#open.clear();
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
