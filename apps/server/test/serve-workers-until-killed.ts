// Serves a data directory with two workers, which have their indexes in memory. Prints its address.
import { runServer } from "../src/index.ts";
import { testConfiguration } from "./test-server.ts";

const [, , dataDirectory = ""] = process.argv;
await runServer(testConfiguration({ dataDirectory, workers: 2 }), {
  onStarted: ({ address }) => console.log(address),
});
