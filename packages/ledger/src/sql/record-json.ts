import { LociError, type MemoryRecord, type Sequence } from "@loci/domain";
import type { MemoryRemoved } from "../change.ts";

/**
 * Reads a version as the log keeps it.
 *
 * @throws LociError `DATA_DIRECTORY_CORRUPT`. Not what `JSON.parse` throws, whose message quotes the text
 */
export function parseRecord(record: string, sequence: Sequence): MemoryRecord {
  try {
    return JSON.parse(record) as MemoryRecord;
  } catch {
    throw damagedEntry(sequence, "cannot be read");
  }
}

/** The log does not hold what it must. */
export function damagedEntry(sequence: Sequence, problem: string): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `Entry ${sequence} of the log ${problem}.`,
    advice: "Keep a copy of the data and restore the last backup.",
  });
}

/** The version that forgetting a memory makes: the last one, marked as deleted. */
export function tombstoneOf(last: MemoryRecord, change: MemoryRemoved): MemoryRecord {
  return { ...last, state: "deleted", version: change.version, updatedAt: change.removedAt };
}
