import type { TenantId } from "@loci/domain";

/**
 * Whose rows a transaction may see. Row-level security holds it to that: without either, it sees none.
 * `everyTenant`: of the tables that hold no content only (heads, projections, what has to be pruned), for jobs that look
 * after all of them.
 */
export type Access = { readonly tenant: TenantId } | { readonly everyTenant: true };

/** What belongs to a tenant, or without one to the deployment. */
export function accessOf(tenant: TenantId | undefined): Access {
  return tenant === undefined ? { everyTenant: true } : { tenant };
}
