import type { ContentHash, EmbeddingSpaceId, Instant, MemoryUsage, Ref, Sequence, Version } from "@loci/domain";
import type { Change } from "../change.ts";
import type { StoredMemory } from "../stored-memory.ts";
import { damagedEntry, parseRecord } from "./record-json.ts";

/** An entry of the log, as a query gives it. */
export interface ChangeRow {
  readonly sequence: Sequence;
  readonly recorded_at: Instant;
  readonly type: Change["type"];
  readonly ref: Ref;
  readonly version: Version;
  readonly content_hash: ContentHash;
  readonly record: string | null;
  readonly space: EmbeddingSpaceId | null;
}

/** A version and the usage of its memory, as a query gives them. */
export interface VersionRow {
  readonly record: string;
  readonly recorded_at: Instant;
  readonly sequence: Sequence;
  readonly content_hash: ContentHash;
  readonly access_count: number | null;
  readonly last_accessed_at: Instant | null;
}

/** @throws LociError `DATA_DIRECTORY_CORRUPT` */
export function changeOf(row: ChangeRow): Change {
  const { type, ref, version, content_hash: contentHash, record, space } = row;
  if (type === "embeddingRecorded" && space !== null) return { type, ref, version, space, contentHash };
  if (record !== null) {
    const memory = parseRecord(record, row.sequence);
    if (type === "memoryWritten") return { type, memory, contentHash };
    if (type === "memoryRemoved") return { type, ref, version, removedAt: memory.updatedAt };
  }
  // Of a memory that was purged.
  if (type === "memoryRemoved") return { type, ref, version, removedAt: row.recorded_at };
  throw damagedEntry(row.sequence, `has the unknown type ${JSON.stringify(type)} or lacks its content`);
}

/** @throws LociError `DATA_DIRECTORY_CORRUPT` */
export function storedMemoryOf(row: VersionRow): StoredMemory {
  return {
    memory: parseRecord(row.record, row.sequence),
    recordedAt: row.recorded_at,
    sequence: row.sequence,
    contentHash: row.content_hash,
    usage: usageOf(row),
  };
}

/** How often a memory was used. */
export function usageOf({
  access_count: accessCount,
  last_accessed_at: lastAccessedAt,
}: Pick<VersionRow, "access_count" | "last_accessed_at">): MemoryUsage {
  return accessCount === null || lastAccessedAt === null ? { accessCount: 0 } : { accessCount, lastAccessedAt };
}
