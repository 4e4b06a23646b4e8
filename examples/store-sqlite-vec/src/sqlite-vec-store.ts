import type { DatabaseSync } from "node:sqlite";
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
  readonly #open = new Map<CollectionId, SqliteVecCollection>();
  #isClosed = false;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    this.#check(id, options);
    checkSpace(space, capabilities);
    const made = onFile(this.#path, () => this.#findOrMake(id, space));
    checkSameSpace(id, made.space, space);
    let collection = this.#open.get(id);
    if (collection === undefined) {
      collection = new SqliteVecCollection({ ...made, path: this.#path, database: this.#database, capabilities });
      this.#open.set(id, collection);
    }
    return collection;
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    this.#check(id, options);
    onFile(this.#path, () => this.#database.prepare("DELETE FROM collections WHERE id = ?").run(id));
    this.#open
      .get(id)
      ?.end(new LociError("COLLECTION_NOT_FOUND", { message: `The collection ${id} was dropped.`, resource: id }));
    this.#open.delete(id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const collection of this.#open.values()) collection.end(closed());
    this.#open.clear();
    onFile(this.#path, () => this.#database.close());
  }

  #findOrMake(id: CollectionId, space: EmbeddingSpace): { readonly number: number; readonly space: EmbeddingSpace } {
    const { provider, model, dimensions, version } = space;
    this.#database
      .prepare("INSERT INTO collections (id, space) VALUES (?, ?) ON CONFLICT DO NOTHING")
      .run(id, JSON.stringify({ provider, model, dimensions, version }));
    const found = this.#database.prepare("SELECT number, space FROM collections WHERE id = ?").get(id);
    return { number: Number(found?.["number"]), space: JSON.parse(String(found?.["space"])) as EmbeddingSpace };
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
