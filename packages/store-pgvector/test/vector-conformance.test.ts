import { vectorStoreConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

vectorStoreConformance(
  { describe, test },
  {
    name: "pgvector",
    open: async () => {
      const { store, reopen, destroy } = await server.open();
      return { store: store.vectorStore, reopen: async () => (await reopen()).vectorStore, destroy };
    },
  },
);
