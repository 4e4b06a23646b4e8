import { mkdirSync } from "node:fs";
import type { LociError } from "@loci/domain";
import type { ExactVectors, TextIndex, VectorStore } from "@loci/store";
import { CollectionFiles } from "./collection-files.ts";
import { EmbeddedTextIndex } from "./embedded-text-index.ts";
import { EmbeddedVectorStore } from "./embedded-vector-store.ts";
import { IndexThread } from "./index-thread.ts";
import { toStorageError } from "./storage/storage-error.ts";

export interface EmbeddedStoreOptions {
  /** Made if it is missing. Only one process may have it open; the ledger's directory lock sees to that. */
  readonly directory: string;
  /** Gives the float32 vectors that the index does not keep. */
  readonly exactVectors: ExactVectors;
  /** Told of damage that was found and of background work that failed; neither needs anybody's help. */
  readonly reportProblem?: ((problem: LociError) => void) | undefined;
  /** Most indexes kept in memory; a tenant has one for texts and one for each collection. Default 128. */
  readonly maxOpenIndexes?: number | undefined;
  /**
   * When the scopes asked for hold more rows than this, the vectors of large segments are first chosen by one bit a
   * dimension, which is several times faster and misses fewer than 1% of the best; cosines are exact all the same. With
   * `Infinity` no row is ever missed. Default 50,000.
   */
  readonly exactRows?: number | undefined;
  /**
   * After so many changes of an index its log becomes a segment, at the latest after 64 MiB. Fewer open faster after a
   * crash, more write less. Default 4096.
   */
  readonly maxHeadRows?: number | undefined;
  /**
   * An index of a tenant that was brought no more changes than this has no files: it is in memory alone, and stands at 0
   * again when it was closed, as the least recently used are. A long text counts as several changes. Only for a store that is filled from a ledger with
   * `after`. Default 0: everything that was applied is still there when the store is opened again.
   */
  readonly maxUnfiledChanges?: number | undefined;
  /**
   * What tells the ledger that the indexes follow from every other one. An index of another ledger, or of another tenant, is
   * removed and reported when it is opened, and begins again. Default: whatever is there is taken for what it should be.
   */
  readonly ledger?: string | undefined;
}

/** For `maxUnfiledChanges`: so much is brought again in a few milliseconds. */
export const fewChanges = 128;

/** Two indexes of one directory, in one thread. */
export interface EmbeddedStore {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  /** Closes both, after what is being written. */
  close(): Promise<void>;
}

/**
 * Opens the indexes of a directory. Nothing is read yet: a tenant's files are opened when they are first asked for.
 *
 * @throws LociError `INVALID_CONFIGURATION` when the directory cannot be made
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const {
    directory,
    exactVectors,
    reportProblem = () => undefined,
    maxOpenIndexes = 128,
    maxHeadRows = 4096,
    maxUnfiledChanges = 0,
    exactRows = 50_000,
    ledger,
  } = options;
  const files = openDirectory(directory);
  const thread = new IndexThread({ directory, maxOpenIndexes, maxHeadRows, maxUnfiledChanges, ledger }, reportProblem);
  const vectorStore = new EmbeddedVectorStore({ directory, thread, files, exactVectors, exactRows });
  const textIndex = new EmbeddedTextIndex(thread, directory);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await vectorStore.close();
    await textIndex.close();
    await thread.close();
  };
  return { vectorStore, textIndex, close: () => (closing ??= close()) };
}

function openDirectory(directory: string): CollectionFiles {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return new CollectionFiles(directory);
  } catch (error) {
    throw toStorageError(error, directory);
  }
}
