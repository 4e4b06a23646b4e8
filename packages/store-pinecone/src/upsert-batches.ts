import type { PineconeRecord } from "@pinecone-database/pinecone";

const maxRecords = 1_000;
/** The limit is 2 MiB for the whole request; the rest is for what stands around the records. */
const maxBytes = 2 * 1024 * 1024 - 4 * 1024;

/** The records in batches that one request may hold, in order. */
export function* upsertBatches(records: readonly PineconeRecord[]): Generator<PineconeRecord[], void> {
  let batch: PineconeRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (batch.length > 0 && (batch.length >= maxRecords || bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** A list in parts of at most so many. */
export function* partsOf<Item>(items: readonly Item[], size: number): Generator<Item[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
