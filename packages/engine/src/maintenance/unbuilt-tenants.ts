import type { TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { Projection } from "@loci/store";
import type { DrainedProjection } from "../projections/drained-projection.ts";

/** An index that is being built, and what brings it up to date. */
export interface BuiltIndex {
  readonly index: Pick<Projection, "heldAmong">;
  readonly drained: DrainedProjection;
}

/**
 * Those of the tenants of which the index may lack something. What it was brought and does not keep, as an index does that is
 * in memory alone, is no lack: it is brought again when it is asked for.
 */
export async function unbuiltTenants(
  ledger: Pick<Ledger, "pending">,
  { index, drained }: BuiltIndex,
  tenants: readonly TenantId[],
): Promise<readonly TenantId[]> {
  const held = await index.heldAmong?.(tenants);
  if (held === undefined) return tenants;
  const { families } = drained.projection;
  const unseen = await ledger.pending(drained.name, { families });
  return [...new Set([...held, ...unseen.map(({ tenant }) => tenant)])];
}
