import type { ContentHash, EmbeddingSpaceId, Instant, MemoryUsage, Ref, Sequence, Version } from "@loci/domain";
import { type Family, type LogEntry, memoriesFamily } from "../log-entry.ts";
import type { StoredMemory } from "../stored-memory.ts";
import { damagedEntry, parseRecord } from "./record-json.ts";

/** An entry of the log, as a query gives it. */
export interface EntryRow {
  readonly sequence: Sequence;
  readonly recorded_at: Instant;
  readonly family: Family;
  readonly type: string;
  readonly ref: Ref;
  readonly version: Version;
  readonly subject: string | null;
  readonly activity: string | null;
  readonly reason: string | null;
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
export function logEntryOf(row: EntryRow): LogEntry {
  const { sequence, recorded_at: recordedAt, family, type: kind, ref, version, subject, activity, reason } = row;
  const isAuthored = subject !== null || activity !== null;
  return {
    sequence,
    recordedAt,
    family,
    kind,
    ref,
    version,
    ...(isAuthored
      ? { author: { ...(subject === null ? {} : { subject }), ...(activity === null ? {} : { activity }) } }
      : {}),
    ...(reason === null ? {} : { reason }),
    payload: family === memoriesFamily ? memoryPayloadOf(row) : payloadOf(row),
  };
}

function payloadOf({ record, sequence }: EntryRow): unknown {
  return record === null ? undefined : parseRecord(record, sequence);
}

function memoryPayloadOf(row: EntryRow): unknown {
  const { type, content_hash: contentHash, record, space } = row;
  switch (type) {
    case "memoryWritten":
      if (record !== null) return { memory: parseRecord(record, row.sequence), contentHash };
      break;
    case "memoryRemoved":
      // Without a record: of a memory that was purged.
      return { removedAt: record === null ? row.recorded_at : parseRecord(record, row.sequence).updatedAt };
    case "embeddingRecorded":
      if (space !== null) return { space, contentHash };
      break;
    default:
      return payloadOf(row);
  }
  throw damagedEntry(row.sequence, `is a ${type} without its content`);
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

/** One for all: most memories were never used. */
const unused: MemoryUsage = Object.freeze({ accessCount: 0 });

/** How often a memory was used. */
export function usageOf({
  access_count: accessCount,
  last_accessed_at: lastAccessedAt,
}: Pick<VersionRow, "access_count" | "last_accessed_at">): MemoryUsage {
  return accessCount === null || lastAccessedAt === null ? unused : { accessCount, lastAccessedAt };
}
