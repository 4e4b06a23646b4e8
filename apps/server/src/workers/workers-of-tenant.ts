import {
  type DirectoryDivision,
  divideDirectory,
  locateDataDirectory,
  rendezvousOrder,
  shardDirectory,
  tenantShards,
} from "@loci/loci";
import { join } from "node:path";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { WorkersOfTenant } from "./tenant-routes.ts";

/** Which worker has what. */
export interface Assignment {
  /** What callers name. */
  readonly dataDirectory: string;
  readonly directoryOf: (worker: number) => string;
  readonly workersOf: WorkersOfTenant;
  /** Each worker has data that the others do not have. */
  readonly isDivided: boolean;
}

/**
 * With memories in the data directory each worker has a shard of it, and the tenants in that. With memories in PostgreSQL all can
 * answer for everybody: a tenant goes to the same one for as long as that is there, since it knows the tenant's index already.
 *
 * @throws LociError what `divideDirectory` throws
 */
export async function assignTenants(configuration: ServerConfiguration): Promise<Assignment> {
  const dataDirectory = locateDataDirectory(configuration.dataDirectory);
  const { workers } = configuration;
  if (configuration.ledger.postgres !== undefined)
    return {
      dataDirectory,
      directoryOf: (worker) => join(dataDirectory, "shards", String(worker)),
      workersOf: remembered((tenant) => rendezvousOrder(tenant, workers)),
      isDivided: false,
    };
  const division: DirectoryDivision = await divideDirectory(dataDirectory, workers);
  const shardOf = tenantShards(division);
  return {
    dataDirectory,
    directoryOf: (worker) => shardDirectory(dataDirectory, worker),
    workersOf: remembered((tenant) => [shardOf(tenant)]),
    isDivided: true,
  };
}

/** Hashing is done once for each tenant that has a key. */
function remembered(workersOf: WorkersOfTenant): WorkersOfTenant {
  const known = new Map<string, readonly number[]>();
  return (tenant) => {
    const workers = known.get(tenant) ?? workersOf(tenant);
    known.set(tenant, workers);
    return workers;
  };
}
