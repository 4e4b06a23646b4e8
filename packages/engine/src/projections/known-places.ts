import type { Sequence, TenantId } from "@loci/domain";
import type { IndexProjections } from "./index-services.ts";

/** Tenants whose place is kept. One that was forgotten costs its next recall one answer more. */
const mostKept = 10_000;

const places = new WeakMap<IndexProjections, Map<TenantId, Sequence>>();

/**
 * Where the indexes of a tenant stood when they were last asked. What happened since can then be read from the log at the
 * same time as where they stand now, as they only ever go forward; whoever uses it must see that they did.
 */
export function knownPlace(indexes: IndexProjections, tenant: TenantId): Sequence | undefined {
  return places.get(indexes)?.get(tenant);
}

export function keepPlace(indexes: IndexProjections, tenant: TenantId, place: Sequence): void {
  let kept = places.get(indexes);
  if (kept === undefined) places.set(indexes, (kept = new Map<TenantId, Sequence>()));
  kept.delete(tenant);
  if (kept.size >= mostKept) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
  kept.set(tenant, place);
}
