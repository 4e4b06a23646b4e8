import type { Instant, MemoryRecord, TenantId } from "@loci/domain";
import {
  type CommitBatch,
  type Expectation,
  type LedgerResources,
  type ResourceChange,
  reviewFamily,
} from "@loci/ledger";
import { lastAsked, reviewOf, reviewRefOf, reviewWritten } from "./stored-review.ts";

/** What it takes to have memories wait. */
interface Waiting {
  readonly ledger: LedgerResources;
  readonly tenant: TenantId;
  readonly now: Instant;
  readonly signal: AbortSignal;
}

/**
 * The reviews that memories need to be decided on, for the commit that has them wait: none for those that are active, and for those
 * whose review is open already. One that was decided before is asked again, for the same reason and to take the same place.
 */
export async function reviewsOfWaiting(
  { ledger, tenant, now, signal }: Waiting,
  memories: readonly MemoryRecord[],
): Promise<Required<Pick<CommitBatch, "expect" | "changes">>> {
  const waiting = memories.filter(({ state }) => state === "quarantined");
  const expect: Expectation[] = [];
  const changes: ResourceChange[] = [];
  if (waiting.length === 0) return { expect, changes };
  const refs = waiting.map(({ id }) => reviewRefOf(id));
  const reviews = await ledger.resources.get(tenant, reviewFamily, refs, { signal });
  for (const memory of waiting) {
    const ref = reviewRefOf(memory.id);
    const known = reviews.get(ref);
    if (known?.state !== undefined) continue;
    const version = known?.version ?? 0;
    const { reason, replaces, capture } = (version > 0 && (await lastAsked({ ledger, tenant, signal }, ref))) || {
      reason: "APPROVAL_REQUIRED",
    };
    expect.push({ ref, version });
    changes.push(reviewWritten(reviewOf(memory, { reason, replaces, capture, now }), version + 1));
  }
  return { expect, changes };
}
