import { LociError } from "@loci/domain";
import { divisionFile, readDivision, shardDirectory, tenantShards } from "./directory-division.ts";

/**
 * Refuses to open a divided directory as if it were whole: tenants of its other shards would seem to have nothing.
 *
 * @param tenant the only one that is asked for. Default: any
 * @throws LociError `INVALID_CONFIGURATION`, unless the directory is whole or the tenant is in it
 */
export function checkDivision(directory: string, tenant?: string): void {
  const division = readDivision(directory);
  if (division === undefined) return;
  const shard = tenant === undefined ? undefined : tenantShards(division)(tenant);
  if (shard === 0) return;
  const { shards } = division;
  throw new LociError("INVALID_CONFIGURATION", {
    message:
      shard === undefined
        ? `${directory} is divided into ${shards} shards and holds the tenants of one of them only.`
        : `${directory} is divided into ${shards} shards, and the tenant is in another one.`,
    resource: divisionFile(directory),
    advice:
      shard === undefined
        ? `Serve it with \`loci serve --workers ${shards}\`, and connect to that server.`
        : `Serve it with \`loci serve --workers ${shards}\` and connect to that server, or open ${shardDirectory(directory, shard)}.`,
  });
}
