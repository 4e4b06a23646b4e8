import { LociError } from "@loci/domain";
import { divisionFile, shardDirectory, shardOfDirectory, tenantShards } from "./directory-division.ts";

/**
 * Refuses to open a shard as if it were whole: tenants of the other shards would seem to have nothing.
 *
 * @param directory a data directory, or a shard in one
 * @param tenant the only one that is asked for. Default: any
 * @throws LociError `INVALID_CONFIGURATION`, unless the directory is whole or the tenant is in it
 */
export function checkDivision(directory: string, tenant?: string): void {
  const found = shardOfDirectory(directory);
  if (found === undefined) return;
  const { dataDirectory, division, shard } = found;
  const { shards } = division;
  if (tenant !== undefined && shard === 0 && tenantShards(division)(tenant) === 0) return;
  const what =
    shard === 0
      ? `${directory} is divided into ${shards} shards`
      : `${directory} is shard ${shard} of ${dataDirectory}`;
  const why =
    tenant === undefined
      ? " and holds the tenants of one of them only."
      : shard === 0
        ? `, and the tenant ${tenant} is in shard ${tenantShards(division)(tenant)}, ${shardDirectory(dataDirectory, tenantShards(division)(tenant))}.`
        : ", which is opened as a whole: tenants may move from one shard to another.";
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${what}${why}`,
    resource: divisionFile(dataDirectory),
    advice: `Serve ${dataDirectory} with \`loci serve --workers ${shards}\`, and connect to that server.`,
  });
}
