import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { connect } from "@lancedb/lancedb";
import { LociError } from "@loci/domain";
import type { TextIndex, VectorStore } from "@loci/store";
import { LanceTable, type LanceTableSetting } from "./lance-table.ts";
import { LanceTextIndex } from "./lance-text-index.ts";
import { LanceVectorStore } from "./lance-vector-store.ts";
import { closed, toStorageError } from "./storage-error.ts";
import { StoreRecord } from "./store-record.ts";
import { textSchema } from "./text-rows.ts";

export interface LanceStoreOptions {
  /** Made if it is missing. Nothing else may write there: what the store did not write is removed. */
  readonly directory: string;
  /**
   * Vectors are compared exactly with up to this many rows of the scopes asked for. Once a collection holds more vectors,
   * `maintain` builds an index (IVF_FLAT), by which searches among more rows are approximate: cosines are exact all the
   * same, but a few of the best may be missed. With `Infinity` there is no index, and no row is ever missed. Default 50,000.
   */
  readonly exactRows?: number | undefined;
  /** Told of damage that was found and of upkeep that failed; neither needs anybody's help. */
  readonly reportProblem?: ((problem: LociError) => void) | undefined;
}

/** Two indexes of one directory. */
export interface LanceStore {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  /** Closes both, after what is being written. */
  close(): Promise<void>;
}

const textTableName = "texts";

/**
 * Opens the indexes of a directory, as they were when their last write was acknowledged.
 *
 * @throws LociError `DATA_DIRECTORY_LOCKED` while another store has it open; `INVALID_CONFIGURATION` when it cannot be used;
 *   `DISK_FULL`, `STORE_UNAVAILABLE`
 */
export async function openLanceStore(options: LanceStoreOptions): Promise<LanceStore> {
  const { exactRows = 50_000, reportProblem = () => undefined } = options;
  // LanceDB takes a relative name such as "db1" for a place in its cloud.
  const directory = resolve(options.directory);
  const tables = join(directory, "tables");
  const record = await openRecord(directory, reportProblem);
  try {
    await removeForgotten(tables, new Set([...record.tableNames(), textTableName]));
    const connection = await connect(tables);
    const setting: LanceTableSetting = { connection, record, directory: tables, reportProblem };
    const scalarIndexes = { key: "btree", tenant: "bitmap", scope: "bitmap", terms: "labelList" } as const;
    const table = await LanceTable.open({ ...setting, name: textTableName, schema: textSchema, scalarIndexes });
    const textIndex = new LanceTextIndex(table, async () => {
      table.end(closed());
      await table.close();
    });
    const vectorStore = new LanceVectorStore({ setting, exactRows });
    const close = async (): Promise<void> => {
      await vectorStore.close();
      await textIndex.close();
      connection.close();
      record[Symbol.dispose]();
    };
    let closing: Promise<void> | undefined;
    return {
      vectorStore,
      textIndex,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    record[Symbol.dispose]();
    throw toStorageError(error, directory);
  }
}

/** Without a record nothing is known of any file, so that the whole directory begins anew. */
async function openRecord(directory: string, reportProblem: (problem: LociError) => void): Promise<StoreRecord> {
  try {
    return new StoreRecord(directory);
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "DATA_DIRECTORY_CORRUPT") throw error;
    reportProblem(error);
    for (const name of ["tables", "record.sqlite", "record.sqlite-journal"])
      await rm(join(directory, name), { recursive: true, force: true });
    return new StoreRecord(directory);
  }
}

/** Removes tables that were dropped, or never wholly made. */
async function removeForgotten(directory: string, names: ReadonlySet<string>): Promise<void> {
  const entries = await readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries)
    if (!names.has(entry.replace(/\.lance$/, ""))) await rm(join(directory, entry), { recursive: true });
}
