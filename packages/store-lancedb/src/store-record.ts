import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type EmbeddingSpace, LociError } from "@loci/domain";
import type { CollectionId } from "@loci/store";
import { damaged, sqliteCode, toStorageError } from "./storage-error.ts";

/** What a file of a table must be. LanceDB writes its files once and never changes them. */
export interface FileSeal {
  readonly size: number;
  /** CRC-32 of the whole file. */
  readonly checksum: number;
}

/** What is kept of a collection besides its rows. */
export interface CollectionRecord {
  readonly space: EmbeddingSpace;
  /** Of its table. A collection that is dropped and made again gets another one. */
  readonly tableName: string;
}

const schema = `
  CREATE TABLE IF NOT EXISTS collections (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, space TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS files (
    table_name TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (table_name, path)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS removals (table_name TEXT PRIMARY KEY) STRICT;`;

/** Keeps open records from the garbage collector, which would close them and so let another process in. */
const held = new Set<DatabaseSync>();

/**
 * What LanceDB does not do, in one small SQLite file: it keeps other processes out, says which collections there are, and
 * which files with which checksums belong to each table. A file that is not in it was never acknowledged.
 */
export class StoreRecord implements Disposable {
  readonly #database: DatabaseSync;
  readonly #path: string;

  /**
   * @throws LociError `DATA_DIRECTORY_LOCKED` while another store has the directory open; `INVALID_CONFIGURATION`,
   *   `DISK_FULL`, `STORE_UNAVAILABLE`; `DATA_DIRECTORY_CORRUPT` for a file that is not what was written
   */
  constructor(directory: string) {
    this.#path = join(directory, "record.sqlite");
    this.#database = openExclusively(this.#path, directory);
    held.add(this.#database);
  }

  collection(id: CollectionId): CollectionRecord | undefined {
    const row = this.#try(() => this.#database.prepare("SELECT number, space FROM collections WHERE id = ?").get(id));
    return row === undefined
      ? undefined
      : { tableName: tableName(Number(row["number"])), space: JSON.parse(String(row["space"])) as EmbeddingSpace };
  }

  addCollection(id: CollectionId, space: EmbeddingSpace): CollectionRecord {
    return this.#transaction(() => {
      const row = this.#database
        .prepare(
          `INSERT INTO counters VALUES ('collections', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1
           RETURNING value`,
        )
        .get();
      const number = Number(row?.["value"]);
      this.#database.prepare("INSERT INTO collections VALUES (?, ?, ?)").run(id, number, JSON.stringify(space));
      return { space: { ...space }, tableName: tableName(number) };
    });
  }

  removeCollection(id: CollectionId): void {
    this.#try(() => this.#database.prepare("DELETE FROM collections WHERE id = ?").run(id));
  }

  /** The tables of all collections. */
  tableNames(): readonly string[] {
    const rows = this.#try(() => this.#database.prepare("SELECT number FROM collections").all());
    return rows.map((row) => tableName(Number(row["number"])));
  }

  /** The files of a table by their path in it. */
  files(table: string): ReadonlyMap<string, FileSeal> {
    const rows = this.#try(() =>
      this.#database.prepare("SELECT path, size, checksum FROM files WHERE table_name = ?").all(table),
    );
    return new Map(
      rows.map((row) => [String(row["path"]), { size: Number(row["size"]), checksum: Number(row["checksum"]) }]),
    );
  }

  /** Notes which files a table has now, and that none are being removed. Durable when it returns. */
  sealFiles(table: string, added: ReadonlyMap<string, FileSeal>, removed: readonly string[]): void {
    this.#transaction(() => {
      const insert = this.#database.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)");
      for (const [path, { size, checksum }] of added) insert.run(table, path, size, checksum);
      const remove = this.#database.prepare("DELETE FROM files WHERE table_name = ? AND path = ?");
      for (const path of removed) remove.run(table, path);
      this.#database.prepare("DELETE FROM removals WHERE table_name = ?").run(table);
    });
  }

  /** Notes that files of a table are about to go: until the next seal nobody knows which. */
  beginRemoval(table: string): void {
    this.#try(() => this.#database.prepare("INSERT OR IGNORE INTO removals VALUES (?)").run(table));
  }

  isRemoving(table: string): boolean {
    return (
      this.#try(() => this.#database.prepare("SELECT 1 FROM removals WHERE table_name = ?").get(table)) !== undefined
    );
  }

  /** Forgets all files of a table. */
  forgetTable(table: string): void {
    this.#transaction(() => {
      for (const name of ["files", "removals"])
        this.#database.prepare(`DELETE FROM ${name} WHERE table_name = ?`).run(table);
    });
  }

  /** Lets the next process in. */
  [Symbol.dispose](): void {
    if (held.delete(this.#database)) this.#database.close();
  }

  #transaction<Result>(work: () => Result): Result {
    return this.#try(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has done so itself, as it does when the disk is full.
    }
  }

  #try<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw toStorageError(error, this.#path);
    }
  }
}

function tableName(number: number): string {
  return `vectors-${number}`;
}

function openExclusively(path: string, directory: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(path, { timeout: 0 });
    // In this mode the first write takes the file until it is closed. The system closes it with the process.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE");
    database.exec(`${schema} COMMIT`);
    const check = database.prepare("PRAGMA quick_check").get();
    if (check?.["quick_check"] !== "ok") throw damaged(path, "is not what was written");
    return database;
  } catch (error) {
    database?.close();
    const busy = 5;
    if (sqliteCode(error) === busy)
      throw new LociError("DATA_DIRECTORY_LOCKED", {
        message: `${directory} is in use by another store. An index directory has one owner at a time.`,
        resource: directory,
        advice: "Connect to the process that has it open if it is a Loci server, or stop it.",
      });
    throw toStorageError(error, path);
  }
}
