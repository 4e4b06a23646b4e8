import { type DirectoryDivision, tenantShards } from "./directory-division.ts";
import type { Leftover } from "./division-note.ts";
import { rendezvousShard } from "./tenant-shard.ts";

/** A tenant that goes from one shard to another. */
export interface TenantMove {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
}

/** Before anything is copied: what there is of the tenant where it goes is not the tenant's. */
export function beginMove(division: DirectoryDivision, { tenant, to }: TenantMove): DirectoryDivision {
  return { ...division, leftovers: [...without(division.leftovers, { tenant, shard: to }), { tenant, shard: to }] };
}

/** What decides: from here on the tenant is in the other shard, and what it left is to be removed. */
export function decideMove(division: DirectoryDivision, { tenant, from, to }: TenantMove): DirectoryDivision {
  const placed = new Map(division.placed);
  if (rendezvousShard(tenant, division.shards) === to) placed.delete(tenant);
  else placed.set(tenant, to);
  const kept = without(division.leftovers, { tenant, shard: to });
  return { ...division, placed, leftovers: [...without(kept, { tenant, shard: from }), { tenant, shard: from }] };
}

/** When nothing of the tenant is left in a shard that it is not in. */
export function forgetLeftover(division: DirectoryDivision, leftover: Leftover): DirectoryDivision {
  return { ...division, leftovers: without(division.leftovers, leftover) };
}

/** The tenants whose rows and indexes a shard has to remove. */
export function leftoversOf(division: DirectoryDivision, shard: number): readonly string[] {
  const shardOf = tenantShards(division);
  // Never those of a tenant that is there, whatever the note says.
  return division.leftovers
    .filter((left) => left.shard === shard && shardOf(left.tenant) !== shard)
    .map(({ tenant }) => tenant);
}

function without(leftovers: readonly Leftover[], { tenant, shard }: Leftover): readonly Leftover[] {
  return leftovers.filter((left) => left.tenant !== tenant || left.shard !== shard);
}
