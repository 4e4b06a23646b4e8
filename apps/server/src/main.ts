import { parseArgs } from "node:util";
import { LociError } from "@loci/loci";
import { loadConfiguration } from "./configuration/load-configuration.ts";
import { printConfiguration } from "./configuration/print-configuration.ts";
import { runServer } from "./run-server.ts";

try {
  const { values } = parseArgs({ options: { config: { type: "string" }, "print-config": { type: "boolean" } } });
  const configuration = loadConfiguration({ file: values.config });
  if (values["print-config"] === true) process.stdout.write(printConfiguration(configuration));
  else await runServer(configuration, { keyFile: values.config });
} catch (error) {
  const advice = LociError.is(error) && error.advice !== undefined ? `\n${error.advice}` : "";
  console.error(`loci-server: ${error instanceof Error ? error.message : String(error)}${advice}`);
  process.exitCode = 1;
}
