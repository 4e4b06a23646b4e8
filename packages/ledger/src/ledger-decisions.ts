import type { CallOptions, Ref, TenantId } from "@loci/domain";
import type { Decision } from "./commit-batch.ts";

/** What was decided about memories, committed with what was done. */
export interface LedgerDecisions {
  /** The latest of an activity about each of the memories; those it has decided nothing about are absent. */
  decisions(
    tenant: TenantId,
    activity: string,
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<Ref, Decision>>;
}
