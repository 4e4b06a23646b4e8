import { type CallOptions, type EmbeddingSpace, filterOperators } from "@loci/domain";
import {
  type CollectionId,
  OpenCollections,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { CheckedOptions, IndexKind } from "./pgvector-store-options.ts";
import { PgvectorVectorCollection } from "./pgvector-vector-collection.ts";
import type { KeptRoom } from "./kept/kept-room.ts";
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
  readonly #schema: Collections;
  readonly #room: KeptRoom | undefined;
  readonly #collections: OpenCollections<PgvectorVectorCollection>;

  /** @param room where vectors may be kept */
  constructor(connections: Connections, options: CheckedOptions, room: KeptRoom | undefined) {
    this.#connections = connections;
    this.#options = options;
    this.#room = room;
    this.#schema = new Collections(connections, options.schema);
    this.capabilities = {
      similarity: options.index === "none" ? "exact" : "approximate",
      filterOperators,
      visibility: "immediate",
      durable: true,
      maxDimensions: maxDimensions[options.index],
      // Every row that is returned is read with its vector.
      maxLimit: 100_000,
    };
    this.#collections = new OpenCollections(this.capabilities);
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    const { index, exactRows, keepingPatience } = this.#options;
    return this.#collections.open(id, space, options, async (known, call) => {
      const tables = await this.#schema.open(id, space, call);
      // Else it was dropped and made again by another server.
      if (known?.tables.rows === tables.rows) return known;
      return new PgvectorVectorCollection({
        id,
        connections: this.#connections,
        tables,
        space: { ...space },
        capabilities: this.capabilities,
        exactRows: index === "none" ? undefined : exactRows,
        room: this.#room,
        keepingPatience,
      });
    });
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    await this.#collections.drop(id, options, (_, call) => this.#schema.drop(id, call));
  }

  async close(): Promise<void> {
    await this.#collections.close();
  }
}
