import type { IndexPlace, IndexStores } from "@loci/store";

/** A text index for adapters that have vectors alone. It is where the ledger is, so that it is shared by whoever shares that. */
export interface Words {
  /** @param directoryName where its files go in the data directory, if it has any */
  open(
    directoryName: string,
    place: Pick<IndexPlace, "ledger" | "exactVectors" | "reportProblem">,
  ): Promise<Pick<IndexStores, "textIndex" | "close">>;
  /** Removes what it has kept, while it is closed. */
  remove(directoryName: string): Promise<void>;
}
