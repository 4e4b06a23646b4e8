import type { Loci, ScopeText } from "@loci/loci";
import { blockOwners } from "../tools/block-owners.ts";

/** Something that waits for a person's decision. */
export interface WaitingItem {
  readonly kind: "memory" | "block edit";
  /** Of the review, or of the edit. */
  readonly id: string;
  readonly since: number;
}

/** The most of each kind, and of each owner of blocks, that are looked at: as many as a page may have. */
const page = 1_000;

/**
 * What waits in the scopes, the oldest first.
 *
 * @throws LociError `ROLE_REQUIRED` without the role `approve`
 */
export async function waitingItems(
  loci: Loci,
  scopes: readonly ScopeText[],
  signal: AbortSignal,
): Promise<readonly WaitingItem[]> {
  const { reviews } = await loci.captures.reviews.list({ scopes, pageSize: page }, { signal });
  const edits = await Promise.all(
    blockOwners(scopes).map((owner) => loci.blocks.listEdits({ owner, pageSize: page }, { signal })),
  );
  return [
    ...reviews.map(({ id, createdAt }): WaitingItem => ({ kind: "memory", id, since: createdAt })),
    ...edits
      .flatMap((list) => list.edits)
      .map(({ id, proposedAt }): WaitingItem => ({ kind: "block edit", id, since: proposedAt })),
  ].toSorted((left, right) => left.since - right.since || (left.id < right.id ? -1 : 1));
}
