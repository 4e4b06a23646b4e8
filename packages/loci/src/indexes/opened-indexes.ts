import type { HistoryNote, IndexOwners } from "@loci/engine";
import type { IndexStores } from "@loci/store";

/** Indexes of one place, while they are in use. */
export interface OpenedIndexes extends IndexStores {
  readonly owners?: IndexOwners | undefined;
  readonly note?: HistoryNote | undefined;
}
