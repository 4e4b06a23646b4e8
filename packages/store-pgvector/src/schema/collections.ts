import { type CallOptions, type EmbeddingSpace, LociError } from "@loci/domain";
import { checkSameSpace, type CollectionId } from "@loci/store";
import type { Connections } from "../postgres/connections.ts";
import type { Transaction } from "../postgres/transaction.ts";
import { lockSchemas, makeRecentTable } from "./open-schema.ts";
import { createRecentTable, notesChanges } from "./recent-table.ts";
import {
  type CollectionTables,
  collectionTables,
  createTenantTable,
  identifier,
  indexOfSetApart,
  type OpenTables,
  rowColumns,
  vectorStorage,
} from "./tables.ts";

interface CollectionRecord {
  readonly number: number;
  readonly space: EmbeddingSpace;
}

/** The collections of a schema: each has tables of its own, as a column of vectors has one number of dimensions. */
export class Collections {
  readonly #connections: Connections;
  readonly #schema: string;
  readonly #table: string;

  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#schema = schema;
    this.#table = identifier(schema, "collections");
  }

  /**
   * The tables of a collection, made when it is new.
   *
   * @throws LociError `EMBEDDING_SPACE_MISMATCH`, also when the table's vectors have other dimensions than the space
   */
  async open(id: CollectionId, space: EmbeddingSpace, options: CallOptions | undefined): Promise<OpenTables> {
    return this.#connections.transaction(undefined, options, async (transaction) => {
      let record = await this.#find(transaction, id);
      if (record === undefined) {
        await lockSchemas(transaction);
        record = (await this.#find(transaction, id)) ?? (await this.#create(transaction, id, space));
      }
      checkSameSpace(id, record.space, space);
      const tables = collectionTables(this.#schema, record.number);
      const vectorType = await vectorTypeOf(transaction, id, tables, space);
      await makeRecentTable(transaction, tables);
      return { ...tables, vectorType, notesChanges: await notesChanges(transaction, tables) };
    });
  }

  async drop(id: CollectionId, options: CallOptions | undefined): Promise<void> {
    await this.#connections.transaction(undefined, options, async (transaction) => {
      await lockSchemas(transaction);
      const record = await this.#find(transaction, id);
      if (record === undefined) return;
      const { rows, checkpoints, recent } = collectionTables(this.#schema, record.number);
      await transaction.query(`DROP TABLE IF EXISTS ${rows}, ${checkpoints}, ${recent}`);
      await transaction.query(`DELETE FROM ${this.#table} WHERE id = $1`, [id]);
    });
  }

  async #find(transaction: Transaction, id: CollectionId): Promise<CollectionRecord | undefined> {
    const [record] = await transaction.query<CollectionRecord>(
      `SELECT number, space FROM ${this.#table} WHERE id = $1`,
      [id],
    );
    return record;
  }

  async #create(transaction: Transaction, id: CollectionId, space: EmbeddingSpace): Promise<CollectionRecord> {
    const { provider, model, dimensions, version } = space;
    const record = { space: { provider, model, dimensions, version } };
    const [made] = await transaction.query<{ number: number }>(
      `INSERT INTO ${this.#table} (id, space) VALUES ($1, $2) RETURNING number`,
      [id, JSON.stringify(record.space)],
    );
    const number = made?.number ?? 0;
    const tables = collectionTables(this.#schema, number);
    const columns = `${rowColumns("chunk smallint NOT NULL, is_apart boolean")}, embedding vector(${dimensions}), PRIMARY KEY (tenant, ref, chunk)`;
    const statements = [
      ...createTenantTable(tables.rows, columns, { storage: vectorStorage }),
      `CREATE INDEX ON ${tables.rows} (tenant, scope)`,
      indexOfSetApart(tables),
      ...createTenantTable(tables.checkpoints, "tenant text PRIMARY KEY, sequence bigint NOT NULL"),
      ...createRecentTable(tables),
    ];
    await transaction.query(statements.join(";\n"));
    return { number, ...record };
  }
}

async function vectorTypeOf(
  transaction: Transaction,
  id: CollectionId,
  { rows }: CollectionTables,
  space: EmbeddingSpace,
): Promise<number> {
  const [column] = await transaction.query<{ dimensions: number; type: number }>(
    "SELECT atttypmod AS dimensions, atttypid::integer AS type FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'embedding'",
    [rows],
  );
  if (column?.dimensions === space.dimensions) return column.type;
  throw new LociError("EMBEDDING_SPACE_MISMATCH", {
    message: `The table ${rows} of the collection ${id} has vectors of ${String(column?.dimensions ?? "no")} dimensions, not of ${space.dimensions}.`,
    resource: id,
    advice: "Somebody has changed the table. Drop the collection: it is then made again from the ledger.",
  });
}
