// Serves a data directory with two workers and the keys of a file, until it is killed. Prints its address.
import { readFileSync } from "node:fs";
import { type ApiKeyEntry, runServer } from "../src/index.ts";
import { testConfiguration } from "./test-server.ts";

const [, , dataDirectory = "", keys = ""] = process.argv;
const apiKeys = JSON.parse(readFileSync(keys, "utf8")) as ApiKeyEntry[];
await runServer(testConfiguration({ dataDirectory, workers: 2, apiKeys, index: { use: "embedded" } }), {
  onStarted: ({ address }) => console.log(address),
});
