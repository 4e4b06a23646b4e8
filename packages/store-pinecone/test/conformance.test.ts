import { randomBytes } from "node:crypto";
import { startPineconeEmulator } from "@loci/pinecone-emulator";
import { vectorStoreConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";
import { openPineconeStore } from "../src/index.ts";

vectorStoreConformance(
  { describe, test },
  {
    name: "Pinecone, emulated, with reads that lag behind",
    open: async () => {
      const emulator = await startPineconeEmulator({ visibilityDelay: 15 });
      const { apiKey, controllerUrl } = emulator;
      let store = openPineconeStore({ apiKey, controllerUrl });
      return {
        store,
        reopen: async () => (store = openPineconeStore({ apiKey, controllerUrl })),
        destroy: async () => {
          await store.close();
          await emulator[Symbol.asyncDispose]();
        },
      };
    },
  },
);

// The same against the service: indexes are made and removed, which takes minutes and costs money.
const apiKey = process.env["PINECONE_API_KEY"];
describe.skipIf(apiKey === undefined)("with PINECONE_API_KEY", () => {
  vectorStoreConformance(
    { describe, test },
    {
      name: "Pinecone, the service",
      open: async () => {
        const options = { apiKey: apiKey ?? "", prefix: `t${randomBytes(4).toString("hex")}` };
        let store = openPineconeStore(options);
        return {
          store,
          reopen: async () => (store = openPineconeStore(options)),
          destroy: async () => {
            await store.close();
            const { Pinecone } = await import("@pinecone-database/pinecone");
            const client = new Pinecone({ apiKey: options.apiKey });
            for (const { name } of (await client.indexes.list()).indexes ?? [])
              if (name.startsWith(`${options.prefix}-`)) await client.indexes.delete(name);
          },
        };
      },
    },
  );
});
