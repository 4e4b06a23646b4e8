import { LociError } from "@loci/domain";
import type { ShardOfDirectory } from "@loci/loci";
import { locateDataDirectory } from "@loci/served-directory";
import { printNote } from "../output/terminal.ts";
import { findOwningServer } from "./open-data-directory.ts";
import type { OperatorOptions } from "./operator-options.ts";

/** A divided directory that nobody serves: all of it, or the one shard of it that was named. */
export interface StoppedShard extends ShardOfDirectory {
  /** Whether the directory of one shard was named, and not that of all. */
  readonly isAlone: boolean;
}

/** @returns `undefined` for a server, and for a directory that is whole or served */
export async function stoppedShard({ connect, data }: OperatorOptions): Promise<StoppedShard | undefined> {
  if (connect !== undefined) return undefined;
  const { shardOfDirectory } = await import("@loci/loci");
  const found = shardOfDirectory(locateDataDirectory(data));
  if (found === undefined || (await findOwningServer(found.dataDirectory)) !== undefined) return undefined;
  return { ...found, isAlone: found.shard > 0 };
}

/**
 * The options that open the shard of the tenant that was named, which a note tells. None where no shard has to be looked for.
 *
 * @throws LociError `INVALID_REQUEST` when one shard was named and the tenant is in another one
 */
export async function placeOfTenant(
  place: StoppedShard | undefined,
  { asTenant }: OperatorOptions,
): Promise<Pick<OperatorOptions, "data" | "isShard">> {
  if (place === undefined || asTenant === undefined) return {};
  const { shardDirectory, tenantShards } = await import("@loci/loci");
  const { dataDirectory, division, isAlone } = place;
  const shard = tenantShards(division)(asTenant);
  if (isAlone && shard !== place.shard)
    throw new LociError("INVALID_REQUEST", {
      message: `The tenant ${asTenant} is in shard ${shard} of ${dataDirectory}, and shard ${place.shard} was named.`,
      field: "--data",
      advice: `Name all of it: --data ${dataDirectory}.`,
    });
  const data = shardDirectory(dataDirectory, shard);
  printNote(`loci: the tenant ${asTenant} is in shard ${shard} of ${division.shards}, ${data}.`);
  return { data, isShard: true };
}
