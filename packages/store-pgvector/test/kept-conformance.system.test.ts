import { textIndexConformance, vectorStoreConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type KeptIndexes, openKeptIndexes, searchingKept, storeSearchingKept } from "./kept-indexes.ts";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

async function opened(): Promise<{
  kept: KeptIndexes;
  reopen: () => Promise<KeptIndexes>;
  close: () => Promise<void>;
}> {
  const options = server.options();
  let kept = await openKeptIndexes(options);
  const reopen = async (): Promise<KeptIndexes> => {
    await kept.close();
    return (kept = await openKeptIndexes(options));
  };
  return { kept, reopen, close: () => kept.close() };
}

textIndexConformance(
  { describe, test },
  {
    name: "postgres, from what is kept",
    open: async () => {
      const { kept, reopen, close } = await opened();
      const searching = ({ textIndex, rooms }: KeptIndexes) => searchingKept(textIndex, rooms.texts, 50);
      return { index: searching(kept), reopen: async () => searching(await reopen()), destroy: close };
    },
  },
);

vectorStoreConformance(
  { describe, test },
  {
    name: "pgvector, from what is kept",
    open: async () => {
      const { kept, reopen, close } = await opened();
      const searching = ({ vectorStore, rooms }: KeptIndexes) => storeSearchingKept(vectorStore, rooms.vectors);
      return { store: searching(kept), reopen: async () => searching(await reopen()), destroy: close };
    },
  },
);
