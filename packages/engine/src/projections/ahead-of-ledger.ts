import { embeddingSpaceId, type EmbeddingSpace, type TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { collectionId, type Projection } from "@loci/store";
import { collectionNameOf } from "./index-record.ts";
import type { OpenPlace } from "./index-places.ts";

/** Tenants looked at together. */
const atOnce = 16;

/**
 * Whether an index of a place has come further for some tenant than the ledger: it has seen changes that the ledger does not
 * have any more, and takes those that come now for them.
 */
export async function isAheadOfLedger(
  ledger: Pick<Ledger, "tenants" | "head">,
  { vectorStore, textIndex }: OpenPlace,
  space: EmbeddingSpace,
): Promise<boolean> {
  const projections: Projection[] = [];
  if (vectorStore.capabilities.durable)
    projections.push(await vectorStore.openCollection(collectionId(collectionNameOf(embeddingSpaceId(space))), space));
  if (textIndex.durable) projections.push(textIndex);
  if (projections.length === 0) return false;
  const tenants = await heldAmong(projections, await ledger.tenants());
  for (let start = 0; start < tenants.length; start += atOnce) {
    const found = await Promise.all(
      tenants.slice(start, start + atOnce).map(async (tenant) => {
        // The head last: other servers may write meanwhile, and indexes follow.
        const checkpoints = await Promise.all(projections.map((projection) => projection.checkpoint(tenant)));
        return Math.max(...checkpoints) > (await ledger.head(tenant));
      }),
    );
    if (found.includes(true)) return true;
  }
  return false;
}

async function heldAmong(
  projections: readonly Projection[],
  tenants: readonly TenantId[],
): Promise<readonly TenantId[]> {
  const held = new Set<TenantId>();
  for (const projection of projections)
    for (const tenant of (await projection.heldAmong?.(tenants)) ?? tenants) held.add(tenant);
  return [...held];
}
