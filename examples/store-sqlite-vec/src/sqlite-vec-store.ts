import type { DatabaseSync } from "node:sqlite";
import { type CallOptions, type EmbeddingSpace, filterOperators } from "@loci/domain";
import {
  type CollectionId,
  OpenCollections,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";
import { openDatabase } from "./open-database.ts";
import { SqliteVecCollection } from "./sqlite-vec-collection.ts";
import { onFile } from "./storage-error.ts";

const capabilities: VectorStoreCapabilities = {
  similarity: "exact",
  filterOperators,
  visibility: "immediate",
  durable: true,
  // Many times what embedding models make; the proof in nearest-rows.ts counts on an upper bound.
  maxDimensions: 8_192,
  maxLimit: 100_000,
};

export interface SqliteVecStoreOptions {
  /** Of the file, which is made when it is missing. One process has it open at a time. */
  readonly path: string;
}

/**
 * Opens a vector store in one SQLite file.
 *
 * @throws LociError `STORE_UNAVAILABLE` when the file cannot be opened or another process has it
 */
export function openSqliteVecStore({ path }: SqliteVecStoreOptions): VectorStore {
  return new SqliteVecStore(
    path,
    onFile(path, () => openDatabase(path)),
  );
}

class SqliteVecStore implements VectorStore {
  readonly name = "sqlite-vec";
  readonly capabilities = capabilities;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #collections = new OpenCollections<SqliteVecCollection>(capabilities);
  #isClosed = false;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    return this.#collections.open(id, space, options, (known) => known ?? this.#collection(id, space));
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    await this.#collections.drop(id, options, () => {
      onFile(this.#path, () => this.#database.prepare("DELETE FROM collections WHERE id = ?").run(id));
    });
  }

  async close(): Promise<void> {
    await this.#collections.close();
    if (this.#isClosed) return;
    this.#isClosed = true;
    onFile(this.#path, () => this.#database.close());
  }

  #collection(id: CollectionId, space: EmbeddingSpace): SqliteVecCollection {
    const kept = onFile(this.#path, () => this.#findOrMake(id, space));
    return new SqliteVecCollection({ ...kept, path: this.#path, database: this.#database, capabilities });
  }

  #findOrMake(id: CollectionId, space: EmbeddingSpace): { readonly number: number; readonly space: EmbeddingSpace } {
    const { provider, model, dimensions, version } = space;
    this.#database
      .prepare("INSERT INTO collections (id, space) VALUES (?, ?) ON CONFLICT DO NOTHING")
      .run(id, JSON.stringify({ provider, model, dimensions, version }));
    const found = this.#database.prepare("SELECT number, space FROM collections WHERE id = ?").get(id);
    return { number: Number(found?.["number"]), space: JSON.parse(String(found?.["space"])) as EmbeddingSpace };
  }
}
