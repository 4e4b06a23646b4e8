import { vectorStoreConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type KeptIndexes, storeSearchingKept } from "./kept-indexes.ts";
import { openedAgain } from "./opened-again.ts";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

vectorStoreConformance(
  { describe, test },
  {
    name: "pgvector, from what is kept",
    open: async () => {
      const { kept, reopen, close } = await openedAgain(server.options());
      const searching = ({ vectorStore, rooms }: KeptIndexes) => storeSearchingKept(vectorStore, rooms.vectors);
      return { store: searching(kept), reopen: async () => searching(await reopen()), destroy: close };
    },
  },
);
