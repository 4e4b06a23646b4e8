/** Restores a backup, and dies when it is asked what was erased since. */
import { restoreBackup } from "@loci/loci";

const [from = "", dataDirectory = ""] = process.argv.slice(2);
await restoreBackup({ from, dataDirectory, erasures: dies() });

// oxlint-disable-next-line require-yield -- it ends before it could yield, which is what is tried
function* dies(): Generator<never> {
  process.kill(process.pid, "SIGKILL");
}
