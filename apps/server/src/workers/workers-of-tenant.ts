import {
  type DirectoryDivision,
  divideDirectory,
  locateDataDirectory,
  readDivision,
  rendezvousOrder,
  shardDirectory,
  tenantShards,
  writeDivision,
} from "@loci/loci";
import { join } from "node:path";
import { configuredEncryption } from "../configuration/configured-encryption.ts";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { WorkersOfTenant } from "./tenant-routes.ts";

/** Which worker has what. */
export interface Assignment {
  /** What callers name. */
  readonly dataDirectory: string;
  readonly directoryOf: (worker: number) => string;
  readonly workersOf: WorkersOfTenant;
  /** Given when each worker has data that the others do not have. */
  readonly shards: ServedShards | undefined;
}

/** How the directory that is served is divided. Nobody else writes that down meanwhile. */
export class ServedShards {
  readonly dataDirectory: string;
  #division: DirectoryDivision;
  #shardOf: (tenant: string) => number;

  constructor(dataDirectory: string, division: DirectoryDivision) {
    this.dataDirectory = dataDirectory;
    this.#division = division;
    this.#shardOf = remembered(tenantShards(division));
  }

  get division(): DirectoryDivision {
    return this.#division;
  }

  shardOf(tenant: string): number {
    return this.#shardOf(tenant);
  }

  /**
   * Changes what is written down, durably, and goes by it from now on. When that fails it goes by what is written down then.
   *
   * @throws what writing throws, such as when the disk is full
   */
  change(change: (division: DirectoryDivision) => DirectoryDivision): void {
    const changed = change(this.#division);
    try {
      writeDivision(this.dataDirectory, changed);
      this.#goBy(changed);
    } catch (error) {
      this.#goBy(readDivision(this.dataDirectory) ?? this.#division);
      throw error;
    }
  }

  #goBy(division: DirectoryDivision): void {
    this.#division = division;
    this.#shardOf = remembered(tenantShards(division));
  }
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
      shards: undefined,
    };
  const shards = new ServedShards(
    dataDirectory,
    await divideDirectory(dataDirectory, workers, configuredEncryption(configuration)),
  );
  return {
    dataDirectory,
    directoryOf: (worker) => shardDirectory(dataDirectory, worker),
    workersOf: (tenant) => [shards.shardOf(tenant)],
    shards,
  };
}

/** Hashing is done once for each tenant that has a key. */
function remembered<Place>(placeOf: (tenant: string) => Place): (tenant: string) => Place {
  const known = new Map<string, Place>();
  return (tenant) => {
    const place = known.get(tenant) ?? placeOf(tenant);
    known.set(tenant, place);
    return place;
  };
}
