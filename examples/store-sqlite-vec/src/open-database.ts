import { DatabaseSync } from "node:sqlite";
import { load } from "sqlite-vec";

/** A row without a scope is a tombstone: it holds the version of a deletion and nothing else. */
const schema = `
  CREATE TABLE IF NOT EXISTS collections (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    space TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS checkpoints (
    collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    tenant TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (collection, tenant)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS rows (
    number INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    tenant TEXT NOT NULL,
    ref TEXT NOT NULL,
    version INTEGER NOT NULL,
    scope TEXT,
    fields TEXT,
    UNIQUE (collection, tenant, ref)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS rows_by_scope ON rows (collection, tenant, scope);
  CREATE TABLE IF NOT EXISTS vectors (
    row INTEGER NOT NULL REFERENCES rows ON DELETE CASCADE,
    position INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (row, position)
  ) STRICT;
`;

/** Opens the file for this process alone, with sqlite-vec's functions, and makes its tables if there are none. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { allowExtension: true });
  try {
    load(database);
    database.enableLoadExtension(false);
    // Exclusive: a second process is refused, as it would not notice what this one drops.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      BEGIN IMMEDIATE;
      ${schema}
      COMMIT;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** All of the work or nothing of it. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk has ended the transaction already.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
