import { textIndexConformance, vectorStoreConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

for (const index of ["none", "hnsw"] as const)
  vectorStoreConformance(
    { describe, test },
    {
      name: `pgvector, index ${index}`,
      open: async () => {
        // So small a number that the graph is used for nearly all of the suite's searches.
        const opened = await server.open({ index, exactRows: 5 });
        return {
          store: opened.store.vectorStore,
          reopen: async () => (await opened.reopen()).vectorStore,
          destroy: opened.destroy,
        };
      },
    },
  );

textIndexConformance(
  { describe, test },
  {
    name: "postgres",
    open: async () => {
      const opened = await server.open();
      return {
        index: opened.store.textIndex,
        reopen: async () => (await opened.reopen()).textIndex,
        destroy: opened.destroy,
      };
    },
  },
);
