/** Moves the indexes of a data directory, tells how far it has come, and dies as soon as it has come some way. */
import { openLoci } from "@loci/loci";

const [dataDirectory = "", to = ""] = process.argv.slice(2);
const loci = await openLoci({ tenant: "local", dataDirectory, index: "memory" });
await loci.maintenance.reindex(
  { to },
  {
    onProgress: ({ done }) => {
      process.stdout.write(`${done}\n`);
      // By its own hand: whoever is told and does it might come after the end.
      if (done > 0) process.kill(process.pid, "SIGKILL");
    },
  },
);
