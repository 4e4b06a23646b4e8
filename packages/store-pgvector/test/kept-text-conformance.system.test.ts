import { textIndexConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type KeptIndexes, searchingKept } from "./kept-indexes.ts";
import { openedAgain } from "./opened-again.ts";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

textIndexConformance(
  { describe, test },
  {
    name: "postgres, from what is kept",
    open: async () => {
      const { kept, reopen, close } = await openedAgain(server.options());
      const searching = ({ textIndex, rooms }: KeptIndexes) => searchingKept(textIndex, rooms.texts, 50);
      return { index: searching(kept), reopen: async () => searching(await reopen()), destroy: close };
    },
  },
);
