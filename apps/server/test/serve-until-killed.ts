// Serves a data directory like main.ts, with embeddings that take as long as argv[3] says, in milliseconds. Prints its
// address, and a line when it embeds a memory.
import { setTimeout as delay } from "node:timers/promises";
import { openEngine } from "@loci/loci";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { runServer } from "../src/index.ts";
import { testConfiguration } from "./test-server.ts";

const [, , dataDirectory = "", milliseconds = "0"] = process.argv;
const inner = deterministicEmbedder();
await runServer(testConfiguration({ dataDirectory, index: {} }), {
  onStarted: ({ address }) => console.log(address),
  openEngine: (options) =>
    openEngine({
      ...options,
      embedder: {
        ...inner,
        embed: async (texts, call) => {
          if (call.kind === "document") {
            console.log("embedding");
            await delay(Number(milliseconds), undefined, { signal: call.signal });
          }
          return inner.embed(texts, call);
        },
      },
    }),
});
