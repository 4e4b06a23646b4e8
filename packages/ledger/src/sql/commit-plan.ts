import type { EmbeddingSpaceId, Instant, LociError, MemoryRecord, Ref, Scope, Sequence, Version } from "@loci/domain";
import type { Committed, Decision, Idempotency } from "../commit-batch.ts";
import type { Author, Family } from "../log-entry.ts";
import type { IndexedFields } from "./indexed-fields.ts";

/** What the database says of a memory before the batches. */
export interface KnownMemory {
  /** 0: it does not exist. */
  readonly version: Version;
  readonly sequence: Sequence;
  readonly scope: Scope;
  readonly isActive: boolean;
  readonly isPurged: boolean;
  readonly contentHash: string;
  /** The whole version. Needed where a batch forgets it; it is given with what it ends. */
  readonly memory: MemoryRecord | undefined;
}

/** What the database says of a resource before the batches. */
export interface KnownResource {
  readonly family: Family;
  /** 0: it does not exist. */
  readonly version: Version;
  readonly scope: Scope;
  readonly group: string;
  readonly isRemoved: boolean;
  readonly isPurged: boolean;
}

/** An answer that may be repeated. */
export interface KnownAnswer {
  readonly bodyHash: string;
  readonly committed: Committed;
}

/** Where a tenant's log stands, and the time. */
export interface LogEnd {
  readonly head: Sequence;
  /** Of the last entry. */
  readonly recordedAt: Instant;
  readonly now: Instant;
}

/** What a ledger has to know before it can decide about batches of one tenant. */
export interface KnownState {
  readonly end: LogEnd;
  /** All that the batches name: those that exist, or were purged. */
  readonly memories: ReadonlyMap<Ref, KnownMemory>;
  /** The same for resources, of the batches that change some. */
  readonly resources: ReadonlyMap<Ref, KnownResource>;
  /** The active memories with the texts that batches expect something of, by `placedText`. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<Ref, Version>>;
  /** The memories that have the keys that batches want, by `placedKey`. */
  readonly keys: ReadonlyMap<string, Ref>;
  /** By `requestKey` and `erasedRequestKey`; only those that are still to be repeated. */
  readonly answers: ReadonlyMap<string, KnownAnswer>;
}

/** An entry for the log. */
export interface PlannedEntry {
  readonly sequence: Sequence;
  readonly family: Family;
  readonly kind: string;
  readonly ref: Ref;
  readonly version: Version;
  /** Of the entry that made the version before. */
  readonly previous: Sequence | null;
  readonly space: EmbeddingSpaceId | null;
  readonly contentHash: string;
  readonly record: string | null;
  readonly author: Author;
  readonly reason: string | undefined;
}

/** A resource as it is after the batches. */
export interface PlannedResource {
  readonly ref: Ref;
  readonly family: Family;
  readonly version: Version;
  readonly sequence: Sequence;
  readonly scope: Scope;
  /** Empty: none. */
  readonly group: string;
  /** As JSON; null for a tombstone. */
  readonly state: string | null;
}

/** A version that is current, or was for some entries of these batches. */
export interface PlannedVersion {
  readonly ref: Ref;
  readonly version: Version;
  readonly sequence: Sequence;
  readonly fields: IndexedFields;
  /** The entry that ended it, if these batches did. */
  readonly ended: Sequence | null;
}

/** An active version of the database that these batches end. */
export interface EndedVersion {
  readonly scope: Scope;
  readonly sequence: Sequence;
  readonly ended: Sequence;
  readonly memory: MemoryRecord | undefined;
}

export interface PlannedAnswer extends Idempotency {
  readonly subject: string;
  readonly committed: Committed;
}

export interface PlannedDecision extends Decision {
  readonly activity: string;
  /** The last of the batch. */
  readonly sequence: Sequence;
}

export type CommitOutcome =
  | { readonly succeeded: true; readonly committed: Committed }
  | { readonly succeeded: false; readonly error: LociError };

/** What becomes of batches that share a transaction, before anything is written. */
export interface CommitPlan {
  /** One a batch. */
  readonly outcomes: readonly CommitOutcome[];
  /** The last sequence after them. */
  readonly head: Sequence;
  readonly recordedAt: Instant;
  readonly entries: readonly PlannedEntry[];
  /** Every version that they make, in the order of the log. */
  readonly versions: readonly PlannedVersion[];
  /** Those of them that are current afterwards. */
  readonly current: readonly PlannedVersion[];
  readonly ended: readonly EndedVersion[];
  /** One a resource. */
  readonly resources: readonly PlannedResource[];
  readonly answers: readonly PlannedAnswer[];
  readonly decisions: readonly PlannedDecision[];
}
