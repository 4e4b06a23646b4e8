import type { Ref, TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";

/** Which of the memories were erased: their ids take nothing any more. All are asked for at once. */
export async function erasedOf(
  ledger: Ledger,
  tenant: TenantId,
  refs: readonly Ref[],
  signal: AbortSignal,
): Promise<ReadonlySet<Ref>> {
  const purged = await ledger.purged(tenant, { refs, limit: Math.max(1, refs.length) }, { signal });
  return new Set(purged.map(({ ref }) => ref));
}
