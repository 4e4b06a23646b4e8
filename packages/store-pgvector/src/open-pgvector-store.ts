import type { TextIndex, VectorStore } from "@loci/store";
import { checkOptions, type PgvectorStoreOptions } from "./pgvector-store-options.ts";
import { PgvectorVectorStore } from "./pgvector-vector-store.ts";
import { Connections } from "./postgres/connections.ts";
import { roomOf } from "./kept/kept-room.ts";
import { PostgresTextIndex } from "./postgres-text-index.ts";
import { openSchema, removeSchema } from "./schema/open-schema.ts";

/** Two indexes of one schema, on the same connections. */
export interface PgvectorStore {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  /** Closes both, after what is under way. */
  close(): Promise<void>;
}

/**
 * Opens the indexes of a schema and makes its tables if there are none. Any number of servers may have it open.
 *
 * @throws LociError `STORE_UNAVAILABLE` while the server cannot be reached: opening can be tried again;
 *   `INVALID_CONFIGURATION` for options, a database, a schema or a pgvector that cannot be used
 */
export async function openPgvectorStore(options: PgvectorStoreOptions): Promise<PgvectorStore> {
  const checked = checkOptions(options);
  const connections = new Connections(checked);
  let notesChanges: boolean;
  try {
    notesChanges = await openSchema(connections, { ...checked, holds: "words and vectors" });
  } catch (error) {
    await connections.close();
    throw error;
  }
  const room = roomOf(checked.keptBytes);
  const vectorStore = new PgvectorVectorStore(connections, checked, room);
  const textIndex = new PostgresTextIndex(connections, { ...checked, notesChanges, room });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await vectorStore.close();
    await textIndex.close();
    await connections.close();
  };
  return { vectorStore, textIndex, close: () => (closing ??= close()) };
}

/**
 * Removes the indexes of a schema, whoever made them. No store may have it open.
 *
 * @throws LociError as `openPgvectorStore`
 */
export async function removePgvectorStore(options: PgvectorStoreOptions): Promise<void> {
  const checked = checkOptions(options);
  const connections = new Connections(checked);
  try {
    await removeSchema(connections, checked.schema);
  } finally {
    await connections.close();
  }
}
