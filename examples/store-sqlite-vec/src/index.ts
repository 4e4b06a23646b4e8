export { openSqliteVecStore, type SqliteVecStoreOptions } from "./sqlite-vec-store.ts";
