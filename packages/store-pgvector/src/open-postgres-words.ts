import type { TextIndex } from "@loci/store";
import { checkOptions, type PgvectorStoreOptions } from "./pgvector-store-options.ts";
import { Connections } from "./postgres/connections.ts";
import { roomOf } from "./kept/kept-room.ts";
import { PostgresTextIndex } from "./postgres-text-index.ts";
import { openSchema } from "./schema/open-schema.ts";

/** A text index in a schema of its own. */
export interface PostgresWords {
  readonly textIndex: TextIndex;
  /** Closes it, after what is under way. */
  close(): Promise<void>;
}

/**
 * Opens a text index beside vectors that are elsewhere. The database needs no pgvector. Any number of servers may have it open;
 * `removePgvectorStore` removes it.
 *
 * @param options those of the whole store; what is about vectors means nothing
 * @throws LociError as `openPgvectorStore`
 */
export async function openPostgresWords(options: PgvectorStoreOptions): Promise<PostgresWords> {
  const checked = checkOptions(options);
  const connections = new Connections(checked);
  let notesChanges: boolean;
  try {
    notesChanges = await openSchema(connections, { ...checked, holds: "words" });
  } catch (error) {
    await connections.close();
    throw error;
  }
  const textIndex = new PostgresTextIndex(connections, { ...checked, notesChanges, room: roomOf(checked.keptBytes) });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await textIndex.close();
    await connections.close();
  };
  return { textIndex, close: () => (closing ??= close()) };
}
