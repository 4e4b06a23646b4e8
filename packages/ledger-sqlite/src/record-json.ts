import { LociError, type MemoryRecord, type Sequence } from "@loci/domain";

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
    advice: "Keep a copy of the data directory and restore the last backup.",
  });
}
