import type { ContentHash, EmbeddingSpaceId, Instant, MemoryRecord, Ref, Sequence, Version } from "@loci/domain";

/** A version of a memory came to be: the first, an edit, a restored one, a closed one. */
export interface MemoryWritten {
  readonly type: "memoryWritten";
  /** The whole version. Its `version` is the one before it plus 1. */
  readonly memory: MemoryRecord;
  /** Where its embeddings of record are found, once there are any. */
  readonly contentHash: ContentHash;
}

/** A memory was forgotten. The tombstone is a version of its own. */
export interface MemoryRemoved {
  readonly type: "memoryRemoved";
  readonly ref: Ref;
  /** The tombstone's version. */
  readonly version: Version;
  /** In the caller's time. */
  readonly removedAt: Instant;
}

/** A vector was recorded for a version that had none. Changes no version. */
export interface EmbeddingRecorded {
  readonly type: "embeddingRecorded";
  readonly ref: Ref;
  readonly version: Version;
  readonly space: EmbeddingSpaceId;
  readonly contentHash: ContentHash;
}

/** What the change log is made of. Projections ignore the types they do not know. */
export type Change = MemoryWritten | MemoryRemoved | EmbeddingRecorded;

export interface RecordedChange {
  readonly sequence: Sequence;
  /** By the ledger's clock; never less than that of the change before. */
  readonly recordedAt: Instant;
  readonly change: Change;
}

/** The resource a change is about. */
export function refOfChange(change: Change): Ref {
  return change.type === "memoryWritten" ? change.memory.id : change.ref;
}

/** The version a change makes or concerns. */
export function versionOfChange(change: Change): Version {
  return change.type === "memoryWritten" ? change.memory.version : change.version;
}
