import type { Principal, TenantId } from "@loci/domain";
import type { CommitBatch } from "@loci/ledger";

type Authored = Pick<CommitBatch, "tenant" | "author" | "scopePatterns">;

/**
 * Whose batch it is: a caller's, who may write where the credential says.
 *
 * @param activity what of Loci has decided it at the caller's order, such as the job `expire`. Default: the caller has
 */
export function authoredBy({ tenant, subject, scopePatterns }: Principal, activity?: string): Authored {
  return { tenant, author: activity === undefined ? { subject } : { subject, activity }, scopePatterns };
}

/** Whose batch it is: nobody has asked for it, Loci does it by itself. */
export function authoredByLoci(tenant: TenantId, activity: string): Authored {
  return { tenant, author: { activity }, scopePatterns: ["*"] };
}
