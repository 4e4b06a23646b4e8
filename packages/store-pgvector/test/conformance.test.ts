import type { VectorStore } from "@loci/store";
import { textIndexConformance, vectorStoreConformance } from "@loci/store/conformance";
import type { PgvectorStore } from "@loci/store-pgvector";
import { afterAll, beforeAll, describe, test } from "vitest";
import { TestServer, withGraphs } from "./test-store.ts";

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
        const exactRows = 5;
        const opened = await server.open({ index, exactRows });
        const graphed = ({ vectorStore }: PgvectorStore): VectorStore =>
          index === "hnsw" ? withGraphs(vectorStore, exactRows) : vectorStore;
        return {
          store: graphed(opened.store),
          reopen: async () => graphed(await opened.reopen()),
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
