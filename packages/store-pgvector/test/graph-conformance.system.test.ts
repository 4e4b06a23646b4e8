import { vectorStoreConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { TestServer, withGraphs } from "./test-store.ts";

let server: TestServer | undefined;
beforeAll(async () => {
  if (isRun) server = await TestServer.start();
});
afterAll(() => server?.database.drop());

/** A second way through the same suite, which the nightly run goes. */
const isRun = process.env["LOCI_GRAPH"] === "1";
const describeRun = isRun ? describe : describe.skip;
/** So small a number that the graph is asked in nearly all of the suite's searches. */
const exactRows = 5;

vectorStoreConformance(
  { describe: describeRun, test },
  {
    name: "pgvector with a graph",
    open: async () => {
      const { store, reopen, destroy } = await (server as TestServer).open({ index: "hnsw", exactRows });
      return {
        store: withGraphs(store.vectorStore, exactRows),
        reopen: async () => withGraphs((await reopen()).vectorStore, exactRows),
        destroy,
      };
    },
  },
);
