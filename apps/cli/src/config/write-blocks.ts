import type { Loci } from "@loci/loci";
import { type DataOptions, withLoci } from "./open-data-directory.ts";

/** Opens the data, changes blocks, and waits until what mirrors them has caught up: this process may end right after. */
export async function writeBlocks<Result>(
  options: DataOptions,
  signal: AbortSignal,
  action: (loci: Loci) => Promise<Result>,
): Promise<Result> {
  return withLoci(options, "write", async (loci) => {
    const result = await action(loci);
    await loci.settled({ signal });
    return result;
  });
}
