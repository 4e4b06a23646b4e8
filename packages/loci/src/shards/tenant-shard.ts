import { createHash } from "node:crypto";

/** Whose data the command line and a server without keys keep: always in shard 0, which is the data directory itself. */
const localTenant = "local";

/**
 * The shards of a tenant by rendezvous hashing, the one it belongs to first. When shards are added a tenant stays or moves to one
 * of the new ones; when one is not there its tenants are spread over the others.
 *
 * @param shards how many there are: 0 to `shards - 1`
 */
export function rendezvousOrder(tenant: string, shards: number): readonly number[] {
  const weights = Array.from({ length: shards }, (_, shard) => ({ shard, weight: weightOf(tenant, shard) }));
  return weights.toSorted((left, right) => Buffer.compare(right.weight, left.weight)).map(({ shard }) => shard);
}

/** The shard that a tenant belongs to when it is written down for none. */
export function rendezvousShard(tenant: string, shards: number): number {
  return tenant === localTenant ? 0 : (rendezvousOrder(tenant, shards)[0] as number);
}

/** The NUL stands in no name of a tenant, so that no two pairs are hashed as the same text. */
function weightOf(tenant: string, shard: number): Buffer {
  return createHash("sha256").update(`${tenant}\0${shard}`).digest();
}
