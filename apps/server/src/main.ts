import { parseArgs } from "node:util";
import { LociError } from "@loci/loci";
import { configurationOf } from "./configuration/load-configuration.ts";
import { loadSettings } from "./configuration/load-settings.ts";
import { printSettings } from "./configuration/print-configuration.ts";
import { runServer } from "./run-server.ts";

try {
  const { values } = parseArgs({ options: { config: { type: "string" }, "print-config": { type: "boolean" } } });
  const settings = loadSettings({ file: values.config });
  const configuration = configurationOf(settings);
  if (values["print-config"] === true) process.stdout.write(printSettings(settings));
  else await runServer(configuration, { keyFile: values.config });
} catch (error) {
  const advice = LociError.is(error) && error.advice !== undefined ? `\n${error.advice}` : "";
  console.error(`loci-server: ${error instanceof Error ? error.message : String(error)}${advice}`);
  process.exitCode = 1;
}
