import { formatScope, type Instant, type MemoryRecord, type Ref, type TenantId } from "@loci/domain";
import { type CommitBatch, type Expectation, type Ledger, type ResourceChange, reviewFamily } from "@loci/ledger";
import { lastAsked, reviewOf, type ReviewRecord, reviewRefOf, reviewWritten } from "./stored-review.ts";

/** What it takes to have memories wait. */
interface Waiting {
  readonly ledger: Pick<Ledger, "resources" | "memories">;
  readonly tenant: TenantId;
  readonly now: Instant;
  readonly signal: AbortSignal;
}

/** Of memories that come from elsewhere: why they waited there. */
export type AskedElsewhere = ReadonlyMap<Ref, Pick<ReviewRecord, "reason" | "replaces" | "capture" | "createdAt">>;

/**
 * The reviews that memories need to be decided on, for the commit that has them wait: none for those that are active, and for those
 * whose review is open already. One that was decided before is asked again, for the same reason and to take the same place.
 */
export async function reviewsOfWaiting(
  { ledger, tenant, now, signal }: Waiting,
  memories: readonly MemoryRecord[],
  elsewhere: AskedElsewhere = new Map(),
): Promise<Required<Pick<CommitBatch, "expect" | "changes">>> {
  const waiting = memories.filter(({ state }) => state === "quarantined");
  const expect: Expectation[] = [];
  const changes: ResourceChange[] = [];
  if (waiting.length === 0) return { expect, changes };
  const refs = waiting.map(({ id }) => reviewRefOf(id));
  const replaceable = await replaceableBy({ ledger, tenant, signal }, memories, elsewhere);
  const reviews = await ledger.resources.get(tenant, reviewFamily, refs, { signal });
  for (const memory of waiting) {
    const ref = reviewRefOf(memory.id);
    const known = reviews.get(ref);
    if (known?.state !== undefined) continue;
    const version = known?.version ?? 0;
    const asked = elsewhere.get(memory.id);
    const last = version > 0 ? await lastAsked({ ledger, tenant, signal }, ref) : undefined;
    const { reason, replaces, capture } = last ?? asked ?? { reason: "APPROVAL_REQUIRED" };
    const isReplaceable = last !== undefined || (replaces !== undefined && replaceable.has(memory.id));
    const place = isReplaceable ? { replaces } : {};
    const at = last === undefined && asked !== undefined ? asked.createdAt : now;
    expect.push({ ref, version });
    changes.push(reviewWritten(reviewOf(memory, { reason, capture, ...place, now: at }), version + 1));
  }
  return { expect, changes };
}

/** Those whose review from elsewhere names a memory of their own scope: nobody's place is taken through a file in another one. */
async function replaceableBy(
  { ledger, tenant, signal }: Omit<Waiting, "now">,
  memories: readonly MemoryRecord[],
  elsewhere: AskedElsewhere,
): Promise<ReadonlySet<Ref>> {
  const named = memories.flatMap(({ id, scope }) => {
    const replaces = elsewhere.get(id)?.replaces;
    return replaces === undefined ? [] : [{ id, scope: formatScope(scope), replaces }];
  });
  if (named.length === 0) return new Set();
  const refs = named.map(({ replaces }) => replaces);
  const current = await ledger.memories(tenant, refs, { signal });
  // It may come with the same commit.
  const scopes = new Map([...current.values()].map(({ memory: { id, scope } }) => [id, formatScope(scope)]));
  for (const { id, scope } of memories) scopes.set(id, scopes.get(id) ?? formatScope(scope));
  return new Set(named.filter(({ scope, replaces }) => scopes.get(replaces) === scope).map(({ id }) => id));
}
