import { CachedEmbedder, type Embedder, openLocalEmbedder } from "@loci/embedding";
import { createEngine, type Engine, type EngineOptions, warnOfProblem } from "@loci/engine";
import { acquireDirectoryLock, openSqliteLedger } from "@loci/ledger-sqlite";
import { Closers } from "./closers.ts";
import { checkDataDirectoryExists, locateDataDirectory } from "./data-directory.ts";
import { embeddingCacheFile } from "./embedding-cache-file.ts";
import { type IndexKind, openIndexes } from "./open-indexes.ts";

export interface OpenEngineOptions extends Pick<
  EngineOptions,
  "clock" | "models" | "reportProblem" | "summaryModel" | "usageCaps"
> {
  /** Default: `LOCI_DATA_DIR`, else `loci` in the XDG data home. */
  readonly dataDirectory?: string | undefined;
  /** Whether to make the directory when it is missing. Default true. */
  readonly create?: boolean | undefined;
  /** Where the indexes live. Default `memory`. Changing it loses nothing: the other kind is made from the ledger. */
  readonly index?: IndexKind | undefined;
  /** Closed with the engine. Default: the local model that ships with Loci. */
  readonly embedder?: Embedder | undefined;
}

/** An engine, and where its data is. */
export interface OpenedEngine extends Engine {
  readonly dataDirectory: string;
}

/**
 * Opens a data directory for this process alone, with everything that is in it, for any number of tenants and
 * principals. Servers use this; programs with one tenant use `openLoci`.
 *
 * @throws LociError `DATA_DIRECTORY_MISSING` with `create: false`; `DATA_DIRECTORY_LOCKED` when another process has it
 *   open; `DATA_DIRECTORY_CORRUPT`, `DATA_DIRECTORY_TOO_NEW`, `INVALID_CONFIGURATION`, `MODEL_FILE_INVALID`
 */
export async function openEngine(options: OpenEngineOptions = {}): Promise<OpenedEngine> {
  const { clock = Date.now, reportProblem = warnOfProblem } = options;
  const directory = locateDataDirectory(options.dataDirectory);
  if (options.create === false) checkDataDirectoryExists(directory);
  const closers = new Closers();
  try {
    const lock = acquireDirectoryLock(directory);
    closers.add(async () => lock.release());
    const ledger = await openSqliteLedger({ directory, clock, lock });
    closers.add(() => ledger.close());
    const embedder = new CachedEmbedder({
      embedder: options.embedder ?? (await openLocalEmbedder()),
      // The local model is faster than any table.
      secondLayer: options.embedder === undefined ? undefined : ledger.embeddingCache,
      clock,
    });
    closers.add(() => embedder.close());
    const snapshot = embeddingCacheFile(directory);
    // A cache that cannot be read or written costs time; it is no reason to keep the data closed.
    await embedder.loadFrom(snapshot).catch((error: unknown) => reportProblem(error, "reading the embedding cache"));
    closers.add(() =>
      embedder.saveTo(snapshot).catch((error: unknown) => reportProblem(error, "writing the embedding cache")),
    );
    const indexes = await openIndexes(options.index ?? "memory", directory, ledger, reportProblem);
    closers.add(() => indexes.close());
    const { vectorStore, textIndex } = indexes;
    const engine = await createEngine({
      ledger,
      vectorStore,
      textIndex,
      embedder,
      clock,
      reportProblem,
      models: options.models,
      usageCaps: options.usageCaps,
      summaryModel: options.summaryModel,
    });
    closers.add(() => engine.close());
    const close = (): Promise<void> => closers.close();
    return {
      dataDirectory: directory,
      for: (principal) => engine.for(principal),
      drainers: engine.drainers,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
