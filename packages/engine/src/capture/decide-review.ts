import {
  asGiven,
  authorize,
  checkChoice,
  checksOf,
  type EtagPrecondition,
  formatScope,
  type ListReviewsRequest,
  type ListReviewsResult,
  type Memory,
  type MemoryId,
  memoryId,
  type MemoryRecord,
  type MemoryReview,
  parseScopes,
  permitsScope,
  type Ref,
  resourceId,
} from "@loci/domain";
import { type Change, type CommitBatch, type Expectation, reviewFamily, type StoredMemory } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { contentHashOf } from "../calls/content-hash.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { isVersionConflict, versionConflict } from "../calls/version-conflict.ts";
import { memoryViews } from "../memories/memory-views.ts";
import { getMemory } from "../memories/read-memory.ts";
import type { CaptureServices } from "./capture-services.ts";
import { closedMemory } from "./captured-memory.ts";
import {
  lastAsked,
  reviewDecided,
  reviewNotFound,
  reviewRefOf,
  storedReview,
  type StoredReview,
} from "../memories/stored-review.ts";
import { checkPrecondition } from "../memories/validate-memory-patch.ts";
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

/** What is to be decided, and as what it was looked at. */
export interface ReviewDecision {
  /** Of the review, or of the memory. */
  readonly id: string;
  readonly decision: "approve" | "reject";
  readonly precondition?: EtagPrecondition | undefined;
}

/**
 * Lets a memory that waits be recalled from now on, or forgets it; a memory that does not wait is approved as it is. The same
 * decision again is answered again.
 */
export async function decideReview(
  services: CaptureServices,
  call: Call,
  { id, decision, precondition }: ReviewDecision,
): Promise<Memory | undefined> {
  const { principal } = call;
  authorize(principal, "approve", []);
  const isApproved = checkChoice(decision, ["approve", "reject"], "decision") === "approve";
  const ref = resourceId(id, "review");
  for (;;) {
    const subject = await subjectOf(services, call, ref);
    const decided = decidedOf(subject, { isApproved, subject: principal.subject, now: services.clock() });
    if (decided === undefined) throw reviewNotFound(ref);
    if (decided.changes.length > 0) checkCurrent(subject, precondition);
    try {
      if (decided.changes.length > 0)
        await services.ledger.commit(
          { ...authoredBy(principal), reason: isApproved ? "REVIEW_APPROVED" : "REVIEW_REJECTED", ...decided },
          { signal: call.signal },
        );
      return isApproved && decided.isApproved ? await getMemory(services, asReader(call), subject.memory) : undefined;
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
    }
  }
}

/** What is decided about. */
interface Subject {
  readonly memory: MemoryId;
  readonly stored: StoredMemory | undefined;
  /** The review that is open. */
  readonly review?: StoredReview | undefined;
  readonly replaced?: StoredMemory | undefined;
  /** A memory was named, and not the review that was made for it. */
  readonly isNamed: boolean;
}

/** @throws LociError `REVIEW_NOT_FOUND`, also for what lies outside the principal's scopes */
async function subjectOf(services: CaptureServices, { principal, signal }: Call, ref: Ref): Promise<Subject> {
  const { tenant } = principal;
  const { ledger } = services;
  const known = await ledger.resources.get(tenant, reviewFamily, [ref, reviewRefOf(ref)], { signal });
  const own = known.get(ref);
  const isNamed = own === undefined;
  const resource = own ?? known.get(reviewRefOf(ref));
  const review = resource && storedReview(resource);
  const asked = review ?? (own && (await lastAsked({ ledger, tenant, signal }, ref)));
  const memory = asked?.memory ?? ref;
  const refs = [memory, ...(review?.replaces === undefined ? [] : [review.replaces])];
  const current = await ledger.memories(tenant, refs, { signal });
  const stored = current.get(memory);
  const scope = review?.scope ?? stored?.memory.scope;
  if (scope === undefined || !permitsScope(principal, scope)) throw reviewNotFound(ref);
  const replaced = review?.replaces === undefined ? undefined : current.get(review.replaces);
  return { memory, stored, review, replaced, isNamed };
}

/** Who approves is shown what was approved. */
function asReader(call: Call): Call {
  const { principal } = call;
  return { ...call, principal: { ...principal, roles: [...principal.roles, "read"] } };
}

/** Nobody decides about other words than those that were looked at. */
function checkCurrent({ memory, stored }: Subject, precondition: EtagPrecondition | undefined): void {
  if (precondition === undefined || stored === undefined) return;
  const expected = checkPrecondition(memory, precondition);
  if (stored.memory.version !== expected) throw versionConflict(stored, expected);
}

interface Decision {
  readonly isApproved: boolean;
  readonly subject: string;
  readonly now: number;
}

interface Decided {
  /** The memory is active, by this decision or the same one before. */
  readonly isApproved: boolean;
  readonly changes: CommitBatch["changes"];
  readonly expect: readonly Expectation[];
}

/** Absent: there is nothing left to be decided. */
function decidedOf({ stored, review, replaced, isNamed }: Subject, decision: Decision): Decided | undefined {
  if (review !== undefined) {
    const { isApproved, changes, expect } = decidedMemory(stored, replaced, decision);
    const reviewed: Expectation = { ref: review.ref, version: review.version };
    return { isApproved, expect: [reviewed, ...expect], changes: [...changes, reviewDecided(review)] };
  }
  if (stored === undefined) return undefined;
  const { state, approvedBy } = stored.memory;
  if (!decision.isApproved) return state === "deleted" && !isNamed ? { ...nothing, isApproved: false } : undefined;
  if (state !== "active") return undefined;
  if (approvedBy !== undefined) return { ...nothing, isApproved: true };
  if (!isNamed) return undefined;
  const { id: ref, version } = stored.memory;
  return { isApproved: true, expect: [{ ref, version }], changes: [written(approvedMemory(stored.memory, decision))] };
}

const nothing: Pick<Decided, "changes" | "expect"> = { changes: [], expect: [] };

function decidedMemory(
  waiting: StoredMemory | undefined,
  replaced: StoredMemory | undefined,
  decision: Decision,
): Decided {
  const { isApproved, now } = decision;
  // It was forgotten or decided otherwise meanwhile: only the review is left to be closed.
  if (waiting?.memory.state !== "quarantined") return { ...nothing, isApproved: false };
  const { memory } = waiting;
  const { id: ref, version } = memory;
  const expect = [{ ref, version }];
  if (!isApproved)
    return { isApproved, changes: [{ type: "memoryRemoved", ref, version: version + 1, removedAt: now }], expect };
  const approved = approvedMemory(memory, decision);
  const holds = replaced?.memory.state === "active" && replaced.memory.supersededBy === undefined;
  const closed = holds
    ? [closedMemory(replaced.memory, { by: ref, from: approved.validFrom ?? approved.createdAt, now })]
    : [];
  return {
    isApproved,
    changes: [approved, ...closed].map(written),
    expect: [...expect, ...closed.map((record) => ({ ref: record.id, version: record.version - 1 }))],
  };
}

function approvedMemory(memory: MemoryRecord, { subject, now }: Decision): MemoryRecord {
  return {
    ...memory,
    version: memory.version + 1,
    updatedAt: now,
    state: "active",
    approvedBy: subject,
    approvedAt: now,
  };
}

function written(memory: MemoryRecord): Change {
  return { type: "memoryWritten", memory, contentHash: contentHashOf(memory.text) };
}
