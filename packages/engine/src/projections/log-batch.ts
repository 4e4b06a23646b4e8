import { type LogEntry, memoryChangeOf } from "@loci/ledger";

/** Changes applied at once: bounds memory, and how long an event loop without a worker is held. */
export const batchSize = 256;
/** UTF-16 units of text after which a batch ends: what is made of more takes long to send to the thread of an index. */
const batchUnits = 131_072;

/** The first entries, up to one after which there is enough text. */
export function entriesOfBatch(entries: readonly LogEntry[]): readonly LogEntry[] {
  let units = 0;
  const end = entries.findIndex((entry) => {
    const change = memoryChangeOf(entry);
    units += change?.type === "memoryWritten" ? change.memory.text.length : 0;
    return units >= batchUnits;
  });
  return end === -1 ? entries : entries.slice(0, end + 1);
}
