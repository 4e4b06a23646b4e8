import { type CallOptions, type EmbeddingSpace, filterOperators } from "@loci/domain";
import {
  checkSameSpace,
  type CollectionId,
  OpenCollections,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";
import { LanceTable, type LanceTableSetting } from "./lance-table.ts";
import { LanceVectorCollection } from "./lance-vector-collection.ts";
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
  readonly #collections = new OpenCollections<LanceVectorCollection>(capabilities);

  constructor(options: LanceVectorStoreOptions) {
    this.#options = options;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    return this.#collections.open(id, space, options, (known) => known ?? this.#collection(id, space));
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    await this.#collections.drop(id, options, async (known) => {
      const { setting } = this.#options;
      const kept = setting.record.collection(id);
      if (kept === undefined) return;
      await known?.table.close();
      setting.record.removeCollection(id);
      await LanceTable.remove(setting, kept.tableName);
    });
  }

  async close(): Promise<void> {
    await this.#collections.close(({ table }) => table.close());
  }

  async #collection(id: CollectionId, asked: EmbeddingSpace): Promise<LanceVectorCollection> {
    const { setting, exactRows } = this.#options;
    const { space, tableName } = setting.record.collection(id) ?? setting.record.addCollection(id, asked);
    // Before the table is opened, which reads all of it.
    checkSameSpace(id, space, asked);
    const table = await LanceTable.open({
      ...setting,
      name: tableName,
      schema: vectorSchema(space.dimensions),
      scalarIndexes: { key: "btree", tenant: "bitmap", scope: "bitmap" },
      vectorIndexRows: exactRows,
    });
    return new LanceVectorCollection({ table, space, capabilities, exactRows });
  }
}
