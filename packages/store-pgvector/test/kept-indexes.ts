import type { CollectionId, TextIndex, VectorCollection, VectorStore } from "@loci/store";
import { setTimeout as pause } from "node:timers/promises";
import { KeptRoom, type Occupant } from "../src/kept/kept-room.ts";
import { checkOptions, type PgvectorStoreOptions } from "../src/pgvector-store-options.ts";
import { PgvectorVectorStore } from "../src/pgvector-vector-store.ts";
import { Connections } from "../src/postgres/connections.ts";
import { PostgresTextIndex } from "../src/postgres-text-index.ts";
import { openSchema } from "../src/schema/open-schema.ts";

/** Tells when something was read to be kept, or used. */
export class WatchedRoom extends KeptRoom {
  uses = 0;

  override use(occupant: Occupant): void {
    this.uses++;
    super.use(occupant);
  }
}

export interface KeptIndexes {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  readonly rooms: { readonly vectors: WatchedRoom; readonly texts: WatchedRoom };
  readonly close: () => Promise<void>;
}

/** Indexes that keep what was searched once, in a schema as `openPgvectorStore` has it. */
export async function openKeptIndexes(options: PgvectorStoreOptions, mostBytes = 2 ** 26): Promise<KeptIndexes> {
  const checked = { ...checkOptions(options), keepingPatience: 0 };
  const connections = new Connections(checked);
  const notesChanges = await openSchema(connections, { ...checked, holds: "words and vectors" });
  const rooms = { vectors: new WatchedRoom({ mostBytes }), texts: new WatchedRoom({ mostBytes }) };
  const vectorStore = new PgvectorVectorStore(connections, checked, rooms.vectors);
  const textIndex = new PostgresTextIndex(connections, { ...checked, notesChanges, room: rooms.texts });
  const close = async (): Promise<void> => {
    await vectorStore.close();
    await textIndex.close();
    await connections.close();
  };
  return { vectorStore, textIndex, rooms, close };
}

/** How long what is searched may take to be read, in milliseconds. */
const longestRead = 2_000;

/** Searches, and again once what was searched is kept. */
async function searchKept<Result>(room: WatchedRoom, longest: number, search: () => Promise<Result>): Promise<Result> {
  const { uses } = room;
  const found = await search();
  for (let waited = 0; room.uses === uses && waited < longest; waited += 5) await pause(5);
  return room.uses === uses ? found : search();
}

/** The same index, whose searches are answered by what is kept. @param longest milliseconds that is waited for */
export function searchingKept<Index extends TextIndex | VectorCollection>(
  index: Index,
  room: WatchedRoom,
  longest = longestRead,
): Index {
  const search = (...request: Parameters<Index["search"]>): Promise<unknown> =>
    searchKept(room, longest, () => (index.search as (...request: unknown[]) => Promise<unknown>)(...request));
  return new Proxy(index, {
    get(target, property) {
      if (property === "search") return search;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The same store, whose searches are answered by what is kept. */
export function storeSearchingKept(store: VectorStore, room: WatchedRoom): VectorStore {
  return new Proxy(store, {
    get(target, property) {
      if (property === "openCollection")
        return async (id: CollectionId, ...rest: [never, never]) =>
          searchingKept(await target.openCollection(id, ...rest), room, 50);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
