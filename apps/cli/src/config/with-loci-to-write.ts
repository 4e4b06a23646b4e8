import { LociError } from "@loci/domain";
import type { Loci } from "@loci/loci";
import { type DataOptions, withLoci } from "./open-data-directory.ts";
import { withLociOrEmpty } from "./with-loci-or-empty.ts";

/**
 * As `withLoci` to write, for actions that can be done twice. Where there is no data yet the action is first done to a Loci that
 * holds nothing and is gone afterwards: one that is refused makes no data directory.
 *
 * @throws LociError what the action throws
 */
export async function withLociToWrite<Result>(
  options: DataOptions,
  action: (loci: Loci) => Promise<Result>,
): Promise<Result> {
  try {
    return await withLoci(options, "read", action);
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "DATA_DIRECTORY_MISSING") throw error;
  }
  await withLociOrEmpty(options, action);
  return await withLoci(options, "write", action);
}
