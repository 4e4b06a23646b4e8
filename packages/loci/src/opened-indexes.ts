import type { HistoryNote, IndexOwners } from "@loci/engine";
import type { TextIndex, VectorStore } from "@loci/store";

/** Indexes of one place, while they are in use. */
export interface OpenedIndexes {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  readonly owners?: IndexOwners | undefined;
  readonly note?: HistoryNote | undefined;
  close(): Promise<void>;
}
