import { type BlockEdit, type MemoryReview, type Scope, ScopeKind } from "@loci/api-web";
import { blocks, captures } from "../../api/calls.ts";
import { failureOf } from "../../api/failure.ts";
import { scopeText } from "../../text/scopes.ts";

/** What waits for a decision: a change of a block, or a memory. */
export type PendingItem =
  | { readonly kind: "edit"; readonly id: string; readonly edit: BlockEdit }
  | { readonly kind: "memory"; readonly id: string; readonly review: MemoryReview };

/** Each owner is asked by a call of its own. */
const mostOwners = 200;

const owning: ReadonlySet<ScopeKind> = new Set([ScopeKind.USER, ScopeKind.AGENT, ScopeKind.TEAM, ScopeKind.PROJECT]);

/** All that waits in the scopes, the oldest changes of blocks first. What the key may not see is not there. */
export async function pendingItems(scopes: readonly Scope[], signal: AbortSignal): Promise<readonly PendingItem[]> {
  const owners = scopes.filter(({ kind }) => owning.has(kind)).slice(0, mostOwners);
  const [edits, reviews] = await Promise.all([
    Promise.all(owners.map((owner) => ofRole(async () => (await blocks.listBlockEdits({ owner }, { signal })).edits))),
    ofRole(async () => (await captures.listReviews({ scopes: [...scopes] }, { signal })).reviews),
  ]);
  return [
    ...edits.flat().map((edit): PendingItem => ({ kind: "edit", id: edit.id, edit })),
    ...reviews.map((review): PendingItem => ({ kind: "memory", id: review.id, review })),
  ];
}

/** Where an item belongs, for its place in the queue. */
export function placeOf(item: PendingItem): string {
  return item.kind === "edit"
    ? `${scopeText(item.edit.owner)} / ${item.edit.label}`
    : `${scopeText(item.review.memory?.scope)}, a memory`;
}

async function ofRole<Entry>(list: () => Promise<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await list();
  } catch (error) {
    const { reason } = failureOf(error);
    if (reason === "ROLE_REQUIRED" || reason === "SCOPE_DENIED" || reason === "UNSUPPORTED_OPERATION") return [];
    throw error;
  }
}
