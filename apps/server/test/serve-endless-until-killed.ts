// Serves a data directory, or with a role the ledger in the PostgreSQL that LOCI_TEST_DATABASE_URL names. Settling and backups
// never end here. Prints its address and its key.
import { findServer, type Loci, openEngine } from "@loci/loci";
import { runServer } from "../src/index.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { sharedConfiguration } from "./shared-configuration.ts";
import { testConfiguration } from "./test-server.ts";

const [, , dataDirectory = "", role = ""] = process.argv;
const configuration = role === "" ? testConfiguration({ dataDirectory }) : sharedConfiguration(role, { dataDirectory });
const open = role === "" ? engineWith(gatedEmbedder()) : openEngine;
const endless = (): Promise<never> => new Promise(() => undefined);
await runServer(configuration, {
  onStarted: ({ address }) => console.log(JSON.stringify({ address, apiKey: findServer(dataDirectory)?.apiKey })),
  openEngine: async (options) => {
    const engine = await open(options);
    return {
      ...engine,
      for: (principal): Loci => {
        const loci = engine.for(principal);
        return { ...loci, settled: endless, maintenance: { ...loci.maintenance, run: endless } };
      },
    };
  },
});
