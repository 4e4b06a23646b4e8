import { vectorStoreConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { TestServer, withGraphs } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

/** So small a number that the graph is asked in nearly all of the suite's searches. */
const exactRows = 5;

vectorStoreConformance(
  { describe, test },
  {
    name: "pgvector with a graph",
    open: async () => {
      const { store, reopen, destroy } = await server.open({ index: "hnsw", exactRows });
      return {
        store: withGraphs(store.vectorStore, exactRows),
        reopen: async () => withGraphs((await reopen()).vectorStore, exactRows),
        destroy,
      };
    },
  },
);
