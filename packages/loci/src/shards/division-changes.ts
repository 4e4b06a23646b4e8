import { type DirectoryDivision, tenantShards } from "./directory-division.ts";
import type { Leftover } from "./division-note.ts";
import { rendezvousShard } from "./tenant-shard.ts";

/** A tenant that goes from one shard to another. */
export interface TenantMove {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
}

/** Before anything is copied: what there is of the tenants where they go is not theirs. */
export function beginMoves(division: DirectoryDivision, moves: readonly TenantMove[]): DirectoryDivision {
  const arriving = moves.map(({ tenant, to }): Leftover => ({ tenant, shard: to }));
  return { ...division, leftovers: [...without(division.leftovers, arriving), ...arriving] };
}

/** What decides: from here on the tenants are in the other shards, and what they left is to be removed. */
export function decideMoves(division: DirectoryDivision, moves: readonly TenantMove[]): DirectoryDivision {
  const placed = new Map(division.placed);
  for (const { tenant, to } of moves)
    if (rendezvousShard(tenant, division.shards) === to) placed.delete(tenant);
    else placed.set(tenant, to);
  const arrived = moves.map(({ tenant, to }): Leftover => ({ tenant, shard: to }));
  const left = moves.map(({ tenant, from }): Leftover => ({ tenant, shard: from }));
  return { ...division, placed, leftovers: [...without(division.leftovers, [...arrived, ...left]), ...left] };
}

/** When nothing of tenants is left in shards that they are not in. */
export function forgetLeftovers(division: DirectoryDivision, gone: readonly Leftover[]): DirectoryDivision {
  return { ...division, leftovers: without(division.leftovers, gone) };
}

/** The tenants whose rows and indexes a shard has to remove. */
export function leftoversOf(division: DirectoryDivision, shard: number): readonly string[] {
  const shardOf = tenantShards(division);
  // Never those of a tenant that is there, whatever the note says.
  return division.leftovers
    .filter((left) => left.shard === shard && shardOf(left.tenant) !== shard)
    .map(({ tenant }) => tenant);
}

function without(leftovers: readonly Leftover[], gone: readonly Leftover[]): readonly Leftover[] {
  const named = new Set(gone.map(({ tenant, shard }) => `${shard} ${tenant}`));
  return leftovers.filter(({ tenant, shard }) => !named.has(`${shard} ${tenant}`));
}
