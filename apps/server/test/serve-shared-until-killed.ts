// Serves a data directory on a ledger and indexes in the PostgreSQL that LOCI_TEST_DATABASE_URL names, which other servers
// share. Prints its address and its key.
import { findServer } from "@loci/loci";
import { runServer } from "../src/index.ts";
import { sharedConfiguration } from "./shared-configuration.ts";

const [, , dataDirectory = "", role = ""] = process.argv;
await runServer(sharedConfiguration(role, { dataDirectory }), {
  onStarted: ({ address }) => console.log(JSON.stringify({ address, apiKey: findServer(dataDirectory)?.apiKey })),
});
