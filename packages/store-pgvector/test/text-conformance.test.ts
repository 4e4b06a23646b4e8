import { textIndexConformance } from "@loci/store/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

textIndexConformance(
  { describe, test },
  {
    name: "postgres",
    open: async () => {
      const { store, reopen, destroy } = await server.open();
      return { index: store.textIndex, reopen: async () => (await reopen()).textIndex, destroy };
    },
  },
);
