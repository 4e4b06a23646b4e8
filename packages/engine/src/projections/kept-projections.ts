import type { Sequence, TenantId } from "@loci/domain";
import type { DrainedProjection } from "./drained-projection.ts";
import type { IndexServices } from "./index-services.ts";

/** Everything that is kept up with the log: the indexes in use, and what else there is. */
export function keptProjections({
  indexes,
  otherProjections,
}: Pick<IndexServices, "indexes" | "otherProjections">): readonly DrainedProjection[] {
  return [indexes.vectors, indexes.text, ...otherProjections];
}

/** Resolves once all of them have what there is for them up to a sequence. */
export async function reachAll(
  services: Pick<IndexServices, "indexes" | "otherProjections">,
  tenant: TenantId,
  sequence: Sequence,
  signal: AbortSignal | undefined,
): Promise<void> {
  await Promise.all(keptProjections(services).map(({ drainer }) => drainer.reach(tenant, sequence, signal)));
}
