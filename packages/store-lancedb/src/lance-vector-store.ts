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
import { LanceTable, type LanceTableSetting } from "./lance-table.ts";
import { LanceVectorCollection } from "./lance-vector-collection.ts";
import { closed } from "./storage-error.ts";
import { vectorSchema } from "./vector-rows.ts";

const capabilities: VectorStoreCapabilities = {
  // Up to `exactRows` selected rows.
  similarity: "exact",
  filterOperators,
  visibility: "immediate",
  durable: true,
  // More than any model makes: a larger number is a mistake.
  maxDimensions: 65_536,
  // Every row that is returned is compared here.
  maxLimit: 100_000,
};

export interface LanceVectorStoreOptions {
  readonly setting: LanceTableSetting;
  /** As in the options of the whole store. */
  readonly exactRows: number;
}

/** Collections of one directory, each a table. */
export class LanceVectorStore implements VectorStore {
  readonly name = "lancedb";
  readonly capabilities: VectorStoreCapabilities = capabilities;
  readonly #options: LanceVectorStoreOptions;
  readonly #collections = new Map<CollectionId, LanceVectorCollection>();
  /** Opening and dropping take turns. */
  #turns: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: LanceVectorStoreOptions) {
    this.#options = options;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    this.#check(id, options);
    checkSpace(space, capabilities);
    return this.#inTurn(async () => {
      this.#check(id, options);
      const { setting, exactRows } = this.#options;
      const known = this.#collections.get(id);
      if (known !== undefined) {
        checkSameSpace(id, known.space, space);
        return known;
      }
      const record = setting.record.collection(id) ?? setting.record.addCollection(id, space);
      checkSameSpace(id, record.space, space);
      const table = await LanceTable.open({
        ...setting,
        name: record.tableName,
        schema: vectorSchema(record.space.dimensions),
        scalarIndexes: { key: "btree", tenant: "bitmap", scope: "bitmap" },
        vectorIndexRows: exactRows,
      });
      const collection = new LanceVectorCollection({ table, space: record.space, capabilities, exactRows });
      this.#collections.set(id, collection);
      return collection;
    });
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    this.#check(id, options);
    await this.#inTurn(async () => {
      this.#check(id, options);
      const { record } = this.#options.setting;
      const known = record.collection(id);
      if (known === undefined) return;
      const open = this.#collections.get(id);
      open?.table.end(
        new LociError("COLLECTION_NOT_FOUND", { message: `The collection ${id} was dropped.`, resource: id }),
      );
      this.#collections.delete(id);
      await open?.table.close();
      record.removeCollection(id);
      await LanceTable.remove(this.#options.setting, known.tableName);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { table } of this.#collections.values()) table.end(closed());
    await this.#inTurn(async () => {
      for (const { table } of this.#collections.values()) await table.close();
      this.#collections.clear();
    });
  }

  #check(id: CollectionId, options: CallOptions | undefined): void {
    if (this.#isClosed) throw closed();
    using call = new CallSignal(options);
    call.throwIfAborted();
    collectionId(id);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = this.#turns.then(work);
    this.#turns = running.catch(() => undefined);
    return running;
  }
}
