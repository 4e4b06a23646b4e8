import type { ContentHash, Instant, MemoryRecord, MemoryUsage, Sequence } from "@loci/domain";

/** A version as it stands in the ledger. */
export interface StoredMemory {
  readonly memory: MemoryRecord;
  readonly recordedAt: Instant;
  readonly sequence: Sequence;
  readonly contentHash: ContentHash;
  /** Of the memory, whichever version this is. */
  readonly usage: MemoryUsage;
}
