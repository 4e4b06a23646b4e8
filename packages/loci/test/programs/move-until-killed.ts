/** Moves the indexes of a data directory, and tells how far it has come. Killed by the test that runs it. */
import { openLoci } from "@loci/loci";

const [dataDirectory = "", to = ""] = process.argv.slice(2);
const loci = await openLoci({ tenant: "local", dataDirectory, index: "memory" });
await loci.maintenance.reindex({ to }, { onProgress: ({ done }) => process.stdout.write(`${done}\n`) });
process.stdout.write("moved\n");
await loci.close();
