import {
  asGiven,
  authorize,
  checkChoice,
  checksOf,
  formatScope,
  type ListReviewsRequest,
  type ListReviewsResult,
  type Memory,
  memoryId,
  resourceId,
  type MemoryRecord,
  type MemoryReview,
  parseScopes,
  permitsScope,
} from "@loci/domain";
import { type Change, type Expectation, reviewFamily, type StoredMemory } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { contentHashOf } from "../calls/content-hash.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { isVersionConflict } from "../calls/version-conflict.ts";
import { memoryViews } from "../memories/memory-views.ts";
import { getMemory } from "../memories/read-memory.ts";
import type { CaptureServices } from "./capture-services.ts";
import { closedMemory } from "./captured-memory.ts";
import {
  existingReview,
  reviewDecided,
  reviewNotFound,
  storedReview,
  type StoredReview,
} from "../memories/stored-review.ts";
import { checkPageSize } from "../validation/validate-page-size.ts";

const checkList = checksOf<ListReviewsRequest>()("request", {
  scopes: parseScopes,
  pageSize: checkPageSize,
  pageToken: asGiven,
});

/** What waits for approval in some scopes. */
export async function listReviews(
  services: CaptureServices,
  { principal, signal }: Call,
  request: ListReviewsRequest,
): Promise<ListReviewsResult> {
  const { tenant } = principal;
  const { scopes, pageSize: limit, pageToken } = checkList(request);
  authorize(principal, "approve", scopes);
  const query = ["reviews", tenant, scopes.map(formatScope)];
  const after = parsePlaceToken(pageToken, query, ([ref]) => memoryId(ref as string));
  const found = await services.ledger.resources.list(
    tenant,
    { family: reviewFamily, scopes, after, limit: limit + 1 },
    { signal },
  );
  const page = found.slice(0, limit).flatMap((resource) => storedReview(resource) ?? []);
  const current = await services.ledger.memories(
    tenant,
    page.map(({ memory }) => memory),
    { signal },
  );
  const waiting = page.flatMap((review) => {
    const stored = current.get(review.memory);
    return stored?.memory.state === "quarantined" ? [{ review, stored }] : [];
  });
  const views = await memoryViews(
    services.ledger,
    tenant,
    services.space,
    waiting.map(({ stored }) => stored),
  );
  const reviews = waiting.map(({ review }, index) => reviewView(review, views[index] as Memory));
  const last = page.at(-1);
  return found.length <= limit || last === undefined
    ? { reviews }
    : { reviews, nextPageToken: formatPlaceToken([last.ref], query) };
}

function reviewView({ ref, reason, replaces, capture, createdAt }: StoredReview, memory: Memory): MemoryReview {
  return {
    id: ref,
    memory,
    reason,
    createdAt,
    ...(replaces === undefined ? {} : { replaces }),
    ...(capture === undefined ? {} : { capture }),
  };
}

/** Lets a memory that waits be recalled from now on, or forgets it. */
export async function decideReview(
  services: CaptureServices,
  call: Call,
  id: string,
  decision: "approve" | "reject",
): Promise<Memory | undefined> {
  const { principal, signal } = call;
  const { tenant } = principal;
  authorize(principal, "approve", []);
  const isApproved = checkChoice(decision, ["approve", "reject"], "decision") === "approve";
  const ref = resourceId(id, "review");
  for (;;) {
    const review = await existingReview(services, tenant, ref, signal);
    if (!permitsScope(principal, review.scope)) throw reviewNotFound(ref);
    const refs = [review.memory, ...(review.replaces === undefined ? [] : [review.replaces])];
    const current = await services.ledger.memories(tenant, refs, { signal });
    const waiting = current.get(review.memory);
    const replaced = review.replaces === undefined ? undefined : current.get(review.replaces);
    const memories = decided(waiting, replaced, { isApproved, subject: principal.subject, now: services.clock() });
    try {
      await services.ledger.commit(
        {
          ...authoredBy(principal),
          reason: isApproved ? "REVIEW_APPROVED" : "REVIEW_REJECTED",
          expect: [{ ref, version: review.version }, ...memories.expect],
          changes: [...memories.changes, reviewDecided(review)],
        },
        { signal },
      );
      return isApproved && memories.changes.length > 0
        ? await getMemory(services, asReader(call), review.memory)
        : undefined;
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
    }
  }
}

/** Who approves is shown what was approved. */
function asReader(call: Call): Call {
  const { principal } = call;
  return { ...call, principal: { ...principal, roles: [...principal.roles, "read"] } };
}

function decided(
  waiting: StoredMemory | undefined,
  replaced: StoredMemory | undefined,
  { isApproved, subject, now }: { readonly isApproved: boolean; readonly subject: string; readonly now: number },
): { readonly changes: readonly Change[]; readonly expect: readonly Expectation[] } {
  // It was forgotten or decided otherwise meanwhile: only the review is left to be closed.
  if (waiting?.memory.state !== "quarantined") return { changes: [], expect: [] };
  const { memory } = waiting;
  const { id: ref, version } = memory;
  const expect = [{ ref, version }];
  if (!isApproved) return { changes: [{ type: "memoryRemoved", ref, version: version + 1, removedAt: now }], expect };
  const approved: MemoryRecord = {
    ...memory,
    version: version + 1,
    updatedAt: now,
    state: "active",
    approvedBy: subject,
    approvedAt: now,
  };
  const holds = replaced?.memory.state === "active" && replaced.memory.supersededBy === undefined;
  const closed = holds
    ? [closedMemory(replaced.memory, { by: ref, from: approved.validFrom ?? approved.createdAt, now })]
    : [];
  return {
    changes: [approved, ...closed].map((record) => ({
      type: "memoryWritten",
      memory: record,
      contentHash: contentHashOf(record.text),
    })),
    expect: [...expect, ...closed.map((record) => ({ ref: record.id, version: record.version - 1 }))],
  };
}
