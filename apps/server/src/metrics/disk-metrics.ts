import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { serverInstruments } from "./metric-table.ts";

/** The ledger in a data directory: its file, and what is not yet in it. */
const ledgerFiles = ["ledger.sqlite", "ledger.sqlite-wal"];

/** Tells of the disk under the data directory, until the answer is called. */
export function observeDisk(dataDirectory: string): () => void {
  return serverInstruments.observe(["loci.disk.free", "loci.disk.size", "loci.ledger.size"], async (observe) => {
    const sizes = await Promise.all(ledgerFiles.map((name) => sizeOf(join(dataDirectory, name))));
    if (sizes[0] !== undefined) observe("loci.ledger.size", sizes[0] + (sizes[1] ?? 0));
    const { bavail, blocks, bsize } = await statfs(dataDirectory);
    observe("loci.disk.free", bavail * bsize);
    observe("loci.disk.size", blocks * bsize);
  });
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}
