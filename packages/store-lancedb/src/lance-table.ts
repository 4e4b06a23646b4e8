import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type CallOptions, CallSignal, type LociError } from "@loci/domain";
import { type Connection, Index, type Table } from "@lancedb/lancedb";
import type { Schema, Table as ArrowTable } from "apache-arrow";
import type { IndexMaintenanceOptions } from "@loci/store";
import { listFiles, removeHint, sealNewFiles, sealOf } from "./file-seals.ts";
import { damaged, toStorageError } from "./storage-error.ts";
import type { FileSeal, StoreRecord } from "./store-record.ts";
import { waitFor } from "./wait-for.ts";

/** What every table of a store shares. */
export interface LanceTableSetting {
  readonly connection: Connection;
  readonly record: StoreRecord;
  /** Where the connection keeps its tables. */
  readonly directory: string;
  readonly reportProblem: (problem: LociError) => void;
}

export interface LanceTableOptions extends LanceTableSetting {
  readonly name: string;
  readonly schema: Schema;
  /** The scalar index of each column that has one. */
  readonly scalarIndexes: Readonly<Record<string, "btree" | "bitmap" | "labelList">>;
  /** Above so many rows `maintain` builds an index over the vectors. Default: never. */
  readonly vectorIndexRows?: number | undefined;
}

const fileFormat = { newTableDataStorageVersion: "2.2" };
const scalarConfigs = {
  btree: () => Index.btree(),
  bitmap: () => Index.bitmap(),
  labelList: () => Index.labelList(),
};
/** Never: what `optimize` takes for "keep every version". */
const longAgo = new Date(0);
/** Writes before the first maintenance, and how many rows rewritten by the next ones each write may pay for. */
const writesBetween = 16;
const rowsPerWrite = 256;

/**
 * One LanceDB table with what LanceDB leaves to its user: one writer at a time; files that are synced and known by their
 * checksums before a write is acknowledged, and checked when the table is opened; compaction, and old versions removed.
 */
export class LanceTable {
  readonly #options: LanceTableOptions;
  readonly #directory: string;
  readonly #reads = new Set<Promise<unknown>>();
  readonly #table: Table;
  #files: Set<string>;
  #writing: Promise<unknown> = Promise.resolve();
  #isSealed = true;
  #writes = 0;
  #isMaintenanceDue = false;
  /** Columns that have an index. */
  readonly #indexed: Set<string>;
  #end: LociError | undefined;

  private constructor(options: LanceTableOptions, table: Table, files: Set<string>, indexed: readonly string[]) {
    this.#options = options;
    this.#directory = tableDirectory(options);
    this.#table = table;
    this.#files = files;
    this.#indexed = new Set(indexed);
  }

  /**
   * Opens the table as it was when its last write was acknowledged, or makes it. One whose files are not what they should
   * be is reported and begins anew.
   */
  static async open(options: LanceTableOptions): Promise<LanceTable> {
    const { connection, record, name, schema } = options;
    const directory = tableDirectory(options);
    try {
      const known = record.files(name);
      const problem = await problemOf(directory, known, record.isRemoving(name));
      if (known.size > 0 && problem === undefined) {
        const table = await connection.openTable(name);
        const indexed = (await table.listIndices()).flatMap(({ columns }) => columns);
        return new LanceTable(options, table, new Set(known.keys()), indexed);
      }
      if (problem !== undefined) options.reportProblem(problem);
      record.forgetTable(name);
      await rm(directory, { recursive: true, force: true });
      const table = await connection.createEmptyTable(name, schema, { storageOptions: fileFormat });
      const made = new LanceTable(options, table, new Set(), []);
      await made.#seal();
      return made;
    } catch (error) {
      throw toStorageError(error, directory);
    }
  }

  /** Removes a table that is not open, and all it holds. */
  static async remove(setting: LanceTableSetting, name: string): Promise<void> {
    const directory = tableDirectory({ ...setting, name });
    try {
      await rm(directory, { recursive: true, force: true });
      setting.record.forgetTable(name);
    } catch (error) {
      throw toStorageError(error, directory);
    }
  }

  /** Whether near rows may be found through an index, that is approximately. */
  get hasVectorIndex(): boolean {
    return this.#indexed.has("vector");
  }

  /** From now on every call rejects with `reason`. */
  end(reason: LociError): void {
    this.#end ??= reason;
  }

  /** Waits for what is being written, and lets go of the table. Closing it again does nothing. */
  async close(): Promise<void> {
    await this.#writing;
    await Promise.allSettled(this.#reads);
    if (this.#table.isOpen()) this.#table.close();
  }

  /** @throws LociError what the table was ended with */
  checkOpen(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  /** Reads the newest version. LanceDB's calls cannot be stopped: when the call is over they are only waited for no more. */
  async read<Result>(work: (table: Table) => Promise<Result>, call: CallSignal): Promise<Result> {
    call.throwIfAborted();
    this.checkOpen();
    const reading = work(this.#table);
    this.#reads.add(reading);
    // The caller may stop waiting before the read ends.
    const ended = reading.finally(() => this.#reads.delete(reading));
    try {
      return await waitFor(ended, call.signal);
    } catch (error) {
      throw toStorageError(error, this.#directory);
    }
  }

  /**
   * Has work done when all earlier work is, unless the call is over by then. What it merged is durable when this resolves.
   */
  async write<Result>(work: (writer: TableWriter) => Promise<Result>, options?: CallOptions): Promise<Result> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.checkOpen();
    const running = this.#inTurn(async () => {
      call.throwIfAborted();
      this.checkOpen();
      // An earlier write may have been committed, and then not been made durable.
      if (!this.#isSealed) await this.#seal();
      return work({
        table: this.#table,
        merge: (rows) => this.#merge(rows),
        remove: (selection) => this.#remove(selection),
      });
    });
    return await waitFor(running, call.signal);
  }

  /**
   * Compacts, indexes what is new, and removes old versions. A purge writes everything anew, so that nothing of what was
   * deleted or replaced is left in any file.
   */
  async maintain({ purge = false, ...options }: IndexMaintenanceOptions = {}): Promise<void> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.checkOpen();
    const running = this.#inTurn(async () => {
      call.throwIfAborted();
      this.checkOpen();
      await this.#maintain(purge);
    });
    await waitFor(running, call.signal);
  }

  async #merge(rows: ArrowTable): Promise<void> {
    this.#isSealed = false;
    await this.#table.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
    await this.#seal();
    this.#writes++;
    void this.#maintainWhenDue();
  }

  async #remove(selection: string): Promise<void> {
    this.#isSealed = false;
    await this.#table.delete(selection);
    await this.#seal();
  }

  /** Compaction rewrites the whole table, so the larger it is, the more writes share one. */
  async #maintainWhenDue(): Promise<void> {
    if (this.#isMaintenanceDue || this.#writes < writesBetween) return;
    this.#isMaintenanceDue = true;
    try {
      await this.#inTurn(async () => {
        const isDue = this.#writes >= writesBetween + (await this.#table.countRows()) / rowsPerWrite;
        if (isDue && this.#end === undefined) await this.#maintain(false);
      });
    } catch (error) {
      this.#writes = 0;
      this.#options.reportProblem(toStorageError(error, this.#directory));
    } finally {
      this.#isMaintenanceDue = false;
    }
  }

  async #maintain(purge: boolean): Promise<void> {
    const { record, name } = this.#options;
    this.#isSealed = false;
    // An update moves every row into new files.
    if (purge) await this.#table.update({ where: "true", valuesSql: { version: "version" } });
    await this.#createIndexes(purge);
    await this.#table.optimize({ cleanupOlderThan: longAgo });
    await this.#seal();
    // From here on searches read the newest version alone, so that older ones can go once those under way are done.
    await Promise.allSettled(this.#reads);
    this.#isSealed = false;
    record.beginRemoval(name);
    await this.#table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
    await this.#seal();
    this.#writes = 0;
  }

  /** Makes the indexes that are missing or, for only a fresh one knows nothing of earlier rows, all of them. */
  async #createIndexes(isReplaced: boolean): Promise<void> {
    const { scalarIndexes, vectorIndexRows = Infinity } = this.#options;
    const configs = Object.entries(scalarIndexes).map(([column, kind]) => [column, scalarConfigs[kind]()] as const);
    const isLarge =
      vectorIndexRows < Infinity && (await this.#table.countRows("`vector` IS NOT NULL")) > vectorIndexRows;
    if (this.hasVectorIndex || isLarge) configs.push(["vector", Index.ivfFlat({ distanceType: "dot" })]);
    for (const [column, config] of configs) {
      if (this.#indexed.has(column) && !isReplaced) continue;
      await this.#table.createIndex(column, { config, replace: true });
      this.#indexed.add(column);
    }
  }

  /** Makes every new file durable and known. What is not known is no part of the table when it is opened again. */
  async #seal(): Promise<void> {
    const present = await listFiles(this.#directory);
    const added = await sealNewFiles(
      this.#directory,
      [...present].filter((file) => !this.#files.has(file)),
    );
    const removed = [...this.#files].filter((file) => !present.has(file));
    this.#options.record.sealFiles(this.#options.name, added, removed);
    this.#files = new Set(present);
    this.#isSealed = true;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = this.#writing.then(work);
    this.#writing = running.catch(() => undefined);
    try {
      return await running;
    } catch (error) {
      throw toStorageError(error, this.#directory);
    }
  }
}

/** What work that writes is done with. */
export interface TableWriter {
  readonly table: Table;
  /** Commits rows in one version, each in place of the one with its key, and makes them durable. */
  readonly merge: (rows: ArrowTable) => Promise<void>;
  /** Removes rows, durably. @param selection of them, as SQL */
  readonly remove: (selection: string) => Promise<void>;
}

function tableDirectory({ directory, name }: Pick<LanceTableOptions, "directory" | "name">): string {
  return join(directory, `${name}.lance`);
}

/** Compares the files with what they should be. What was never acknowledged is removed, and with it any version it made. */
async function problemOf(
  directory: string,
  known: ReadonlyMap<string, FileSeal>,
  isRemoving: boolean,
): Promise<LociError | undefined> {
  const present = await listFiles(directory);
  if (known.size === 0) return undefined;
  if (isRemoving) return damaged(directory, "was left while its old files were being removed");
  for (const [path, seal] of known) {
    if (!present.has(path)) return damaged(join(directory, path), "is missing");
    const found = await sealOf(join(directory, path));
    if (found.size !== seal.size)
      return damaged(join(directory, path), `has ${found.size} bytes instead of ${seal.size}`);
    if (found.checksum !== seal.checksum) return damaged(join(directory, path), "is not what was written");
  }
  for (const path of present) if (!known.has(path)) await rm(join(directory, path));
  await removeHint(directory);
  return undefined;
}
