import {
  type Instant,
  LociError,
  type MemoryId,
  type MemoryRecord,
  type Ref,
  type Scope,
  type TenantId,
  type Version,
} from "@loci/domain";
import {
  type LedgerResources,
  type ResourceRemoved,
  type ResourceWritten,
  reviewFamily,
  type StoredResource,
} from "@loci/ledger";
import { uuidOfName } from "../calls/uuid-version-7.ts";

/** What the ledger keeps of a memory that waits for approval. */
export interface ReviewRecord {
  readonly memory: MemoryId;
  readonly scope: Scope;
  readonly reason: string;
  readonly replaces?: MemoryId | undefined;
  readonly capture?: Ref | undefined;
  readonly createdAt: Instant;
}

export interface StoredReview extends ReviewRecord {
  readonly ref: Ref;
  readonly version: number;
}

/** The kind of the entry of a review that was written. */
export const reviewAsked = "reviewAsked";

export function reviewOf(
  { id, scope }: MemoryRecord,
  { reason, replaces, capture, now }: Pick<ReviewRecord, "reason" | "replaces" | "capture"> & { readonly now: Instant },
): ReviewRecord {
  return {
    memory: id,
    scope,
    reason,
    createdAt: now,
    ...(replaces === undefined ? {} : { replaces }),
    ...(capture === undefined ? {} : { capture }),
  };
}

export function reviewRefOf(memory: MemoryId): Ref {
  return uuidOfName(0, ["review", memory]);
}

/** @param version of the review. Default 1: none was written before */
export function reviewWritten(record: ReviewRecord, version: Version = 1): ResourceWritten {
  return {
    type: "resourceWritten",
    family: reviewFamily,
    kind: reviewAsked,
    ref: reviewRefOf(record.memory),
    version,
    scope: record.scope,
    group: record.memory,
    state: record,
  };
}

export function reviewDecided({ ref, version }: StoredReview): ResourceRemoved {
  return { type: "resourceRemoved", family: reviewFamily, kind: "reviewDecided", ref, version: version + 1 };
}

export function storedReview({ ref, version, state }: StoredResource): StoredReview | undefined {
  return state === undefined ? undefined : { ...(state as ReviewRecord), ref, version };
}

/** A review as it was when it was written last, if that was not purged. */
export async function lastAsked(
  {
    ledger,
    tenant,
    signal,
  }: { readonly ledger: LedgerResources; readonly tenant: TenantId; readonly signal: AbortSignal },
  review: Ref,
): Promise<ReviewRecord | undefined> {
  const entries = await ledger.resources.entries(
    tenant,
    { family: reviewFamily, ref: review, order: "newestFirst", limit: 2 },
    { signal },
  );
  return entries.find(({ kind }) => kind === reviewAsked)?.payload as ReviewRecord | undefined;
}

export function reviewNotFound(ref: Ref): LociError {
  return new LociError("REVIEW_NOT_FOUND", {
    message: `There is no review ${ref}.`,
    resource: ref,
    advice: "It was decided already, or it lies outside the scopes of the credential.",
  });
}
