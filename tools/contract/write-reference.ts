// Writes the pages of docs/reference that are made from what the programs themselves go by.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { metricsReference, settingsReference } from "@loci/server";

const directory = join(import.meta.dirname, "../../docs/reference");
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, "server-settings.md"), settingsReference());
writeFileSync(join(directory, "metrics.md"), metricsReference());
