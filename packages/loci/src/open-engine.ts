import { join } from "node:path";
import { checkOptions, checkPrincipal, fieldsOf, type TenantId, tenantId } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import type { EncryptionKeys } from "@loci/encryption";
import {
  activeNames,
  createEngine,
  type Engine,
  type EngineOptions,
  ledgerIdentity,
  readIndexRecord,
  warnOfProblem,
} from "@loci/engine";
import { acquireDirectoryLock } from "@loci/ledger-sqlite";
import { locateDataDirectory } from "@loci/served-directory";
import { Closers } from "./closers.ts";
import { checkDataDirectoryExists } from "./data-directory.ts";
import { DirectoryPlaces } from "./indexes/directory-places.ts";
import { type Erasure, readErasures } from "./erasures.ts";
import { embeddingCacheFile, removeEmbeddingCacheFile } from "./embedding-cache-file.ts";
import { localEmbedder, NamedEmbedders } from "./named-embedders.ts";
import { checkOutsideBundles } from "./outside-bundles.ts";
import { GitMirrors } from "./git-mirrors/git-mirrors.ts";
import { historyNote } from "./indexes/history-note.ts";
import { indexOwners, serverIdOf } from "./indexes/index-owners.ts";
import { defaultIndex } from "./indexes/index-adapters.ts";
import { checkIndexChoice, type IndexChoice, indexKinds, indexNameOf } from "./indexes/index-choice.ts";
import { openIndexes } from "./indexes/open-indexes.ts";
import { wordsInDatabase } from "./indexes/words/words-in-database.ts";
import { wordsInFiles } from "./indexes/words/words-in-files.ts";
import { checkLedgerChoice, type LedgerChoice, openLedger } from "./open-ledger.ts";
import { checkDivision } from "./shards/check-division.ts";
import { leftoversOf } from "./shards/division-changes.ts";
import { shardOfDirectory } from "./shards/directory-division.ts";
import { TenantMoves } from "./shards/tenant-moves.ts";

export interface OpenEngineOptions extends Pick<
  EngineOptions,
  | "blocks"
  | "captureLease"
  | "captureModel"
  | "clock"
  | "detection"
  | "language"
  | "metadataFields"
  | "modelTokensPerMinute"
  | "models"
  | "receipts"
  | "reportProblem"
  | "reranker"
  | "rerankTimeLimit"
  | "scoring"
  | "summaryModel"
  | "summaryTemplate"
  | "usageCaps"
> {
  /** Default: `LOCI_DATA_DIR`, else `loci` in the XDG data home. */
  readonly dataDirectory?: string | undefined;
  /** Whether to make the directory when it is missing. Default true. */
  readonly create?: boolean | undefined;
  /** Where memories are kept. Default `sqlite`: in the data directory. */
  readonly ledger?: LedgerChoice | undefined;
  /**
   * Where the indexes live. Default: where they were the last time, at first `embedded`. Changing it loses nothing: the other
   * kind is made from the ledger.
   */
  readonly index?: IndexChoice | undefined;
  /** Indexes outside the data directory that memories can be moved to (`loci reindex --to NAME`). */
  readonly indexes?: readonly Exclude<IndexChoice, string>[] | undefined;
  /** An embedder, or the name of one of `embedders`. Closed with the engine. Default `local`: the model that ships with Loci. */
  readonly embedder?: Embedder | string | undefined;
  /**
   * Whether the history of blocks is kept as git repositories too, in `git-mirrors` of the data directory. Git need not be
   * installed. Default: `openLoci` does, unless the ledger is encrypted, as a mirror is not; servers do not.
   */
  readonly gitMirrors?: boolean | undefined;
  /**
   * Says that the caller knows which tenants are in this directory when it is shard 0 of a divided one: a worker of
   * `loci serve --workers`, or a program of one tenant. Default false: a divided directory is refused.
   */
  readonly isShard?: boolean | undefined;
  /**
   * Encrypts what memories, blocks and sessions say in the ledger: keys of 32 bytes by their ids, and which of them is current.
   * Default: nothing is encrypted. A directory that was opened with keys once needs them from then on.
   */
  readonly encryption?: EncryptionKeys | undefined;
  /** Further embedders by name, opened when memories are embedded again (`loci reindex --embedder NAME`). */
  readonly embedders?: Readonly<Record<string, () => Promise<Embedder>>> | undefined;
}

/** The names of the options, for whoever takes them among others. */
export const engineOptionNames: ReadonlySet<string> = fieldsOf<OpenEngineOptions>({
  blocks: true,
  captureLease: true,
  captureModel: true,
  clock: true,
  create: true,
  dataDirectory: true,
  detection: true,
  embedder: true,
  embedders: true,
  encryption: true,
  gitMirrors: true,
  index: true,
  indexes: true,
  isShard: true,
  language: true,
  ledger: true,
  metadataFields: true,
  modelTokensPerMinute: true,
  models: true,
  receipts: true,
  reportProblem: true,
  reranker: true,
  rerankTimeLimit: true,
  scoring: true,
  summaryModel: true,
  summaryTemplate: true,
  usageCaps: true,
});

/** The name of an embedder that was given without one. */
const givenEmbedder = "given";
/** Where the mirrors of blocks are in the data directory. */
const gitMirrorsName = "git-mirrors";

/** An engine, and where its data is. */
export interface OpenedEngine extends Omit<Engine, "presence"> {
  readonly dataDirectory: string;
  /**
   * Whether the ledger's file is still where it was opened, and can be written. When not, what is known is still read, and
   * nothing is written.
   *
   * @throws LociError `DATA_DIRECTORY_MOVED`; `STORE_UNAVAILABLE` when the thread that writes has stopped
   */
  checkInPlace(): void;
  /** What was forgotten and erased, of every tenant, to be told to a backup that is restored. */
  erasures(): AsyncIterable<Erasure>;
  /** Every tenant that has anything, by name; `limit` of them at most. */
  tenants(query?: { readonly limit?: number | undefined }): Promise<readonly TenantId[]>;
  /** How tenants go to another shard and come from one. Absent with a ledger that is not in files. */
  readonly moves?: TenantMoves | undefined;
}

/**
 * Opens a data directory for this process alone, with everything that is in it, for any number of tenants and
 * principals. Servers use this; programs with one tenant use `openLoci`.
 *
 * @throws LociError `DATA_DIRECTORY_MISSING` with `create: false`; `DATA_DIRECTORY_LOCKED` when another process has it
 *   open; `ENCRYPTION_KEY_MISSING` without the keys that it needs; `DATA_DIRECTORY_CORRUPT`, `DATA_DIRECTORY_TOO_NEW`, `INVALID_CONFIGURATION`, `MODEL_FILE_INVALID`
 */
export async function openEngine(options: OpenEngineOptions = {}): Promise<OpenedEngine> {
  checkOptions(options, engineOptionNames, "openEngine");
  if (options.index !== undefined) checkIndexChoice(options.index);
  if (options.ledger !== undefined) checkLedgerChoice(options.ledger);
  checkOutsideBundles();
  const { clock = Date.now, reportProblem = warnOfProblem } = options;
  const directory = locateDataDirectory(options.dataDirectory);
  const { ledger: ledgerChoice = "sqlite" } = options;
  if (options.isShard !== true && ledgerChoice === "sqlite") checkDivision(directory);
  if (options.create === false && ledgerChoice === "sqlite") checkDataDirectoryExists(directory);
  const closers = new Closers();
  try {
    const lock = acquireDirectoryLock(directory);
    closers.add(async () => lock.release());
    const opened = await openLedger(ledgerChoice, {
      directory,
      lock,
      clock: options.clock,
      reportProblem,
      encryption: options.encryption,
    });
    const { ledger, movable } = opened;
    closers.add(() => ledger.close());
    // From the first step on nobody finds them. Whoever serves the shards has the rest removed, which may take long.
    const leftovers = movable === undefined ? [] : leftoversIn(directory);
    await movable?.hideTenants(leftovers);
    const recorded = await readIndexRecord(ledger);
    const place =
      options.index === undefined ? (recorded?.configured.place ?? defaultIndex) : indexNameOf(options.index);
    const configured = { place, embedder: embedderNameOf(options) };
    const active = activeNames(configured, recorded);
    const embedders = new NamedEmbedders(active.embedder, configured.embedder, openersOf(options), {
      secondLayer: ledger.embeddingCache,
      clock,
    });
    closers.add(() => embedders.closeAll());
    const embedder = await embedders.open(embedders.active);
    const identity = await ledgerIdentity(ledger);
    const snapshot = embeddingCacheFile(directory, identity);
    // A cache that cannot be read or written costs time; it is no reason to keep the data closed.
    await embedder.loadFrom(snapshot).catch((error: unknown) => reportProblem(error, "reading the embedding cache"));
    closers.add(() =>
      embedder.saveTo(snapshot).catch((error: unknown) => reportProblem(error, "writing the embedding cache")),
    );
    const words = ledgerChoice === "sqlite" ? wordsInFiles(directory) : wordsInDatabase(ledgerChoice, directory);
    const places = new DirectoryPlaces(active.place, indexChoices(options), { directory, words }, async (choice) => {
      const indexes = await openIndexes(choice, { directory, ledger, words, reportProblem });
      const { vectorStore, textIndex } = indexes;
      const owners = opened.isShared ? indexOwners(choice, serverIdOf(directory)) : undefined;
      const note = historyNote(choice, directory, opened.isShared);
      return { vectorStore, textIndex, owners, note, close: () => indexes.close() };
    });
    closers.add(() => places.closeAll());
    const { vectorStore, textIndex } = await places.open(places.active);
    const forgetCaches = async (): Promise<void> => {
      await embedders.forget();
      await removeEmbeddingCacheFile(directory);
    };
    const engine = await createEngine({
      ledger,
      vectorStore,
      textIndex,
      embedder,
      places,
      embedders,
      configured,
      backupLedger: opened.backup,
      server: opened.isShared ? serverIdOf(directory) : undefined,
      tenantsMove: movable !== undefined,
      scrubFiles: async () => {
        await forgetCaches();
        return [];
      },
      projections: options.gitMirrors === true ? [new GitMirrors(join(directory, gitMirrorsName), identity)] : [],
      blocks: options.blocks,
      clock,
      detection: options.detection,
      reportProblem,
      language: options.language,
      metadataFields: options.metadataFields,
      modelTokensPerMinute: options.modelTokensPerMinute,
      models: options.models,
      receipts: options.receipts,
      reranker: options.reranker,
      rerankTimeLimit: options.rerankTimeLimit,
      scoring: options.scoring,
      usageCaps: options.usageCaps,
      captureLease: options.captureLease,
      captureModel: options.captureModel,
      summaryModel: options.summaryModel,
      summaryTemplate: options.summaryTemplate,
    });
    closers.add(() => engine.close());
    const close = (): Promise<void> => closers.close();
    return {
      dataDirectory: directory,
      checkInPlace: opened.checkInPlace,
      erasures: () => readErasures(ledger),
      tenants: ({ limit } = {}) => ledger.tenants({ limit }),
      moves: movable && new TenantMoves(movable, engine.presence, forgetCaches),
      for: (principal) => engine.for(checkPrincipal(principal)),
      bindFile: (tenant, input, call) => engine.bindFile(tenant, input, call),
      turns: engine.turns,
      jobs: engine.jobs,
      drainers: engine.drainers,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** What a move that did not come to its end, or was not cleared up after, has left in a shard. */
function leftoversIn(directory: string): readonly TenantId[] {
  const found = shardOfDirectory(directory);
  return found === undefined ? [] : leftoversOf(found.division, found.shard).map((tenant) => tenantId(tenant));
}

function embedderNameOf({ embedder }: OpenEngineOptions): string {
  if (embedder === undefined) return localEmbedder;
  return typeof embedder === "string" ? embedder : givenEmbedder;
}

function openersOf({ embedder, embedders = {} }: OpenEngineOptions): Readonly<Record<string, () => Promise<Embedder>>> {
  return embedder === undefined || typeof embedder === "string"
    ? embedders
    : { ...embedders, [givenEmbedder]: async () => embedder };
}

/** Every index that can be opened, by name: those of a data directory, and those that were given. */
function indexChoices({ index, indexes = [] }: OpenEngineOptions): readonly IndexChoice[] {
  const choices: readonly IndexChoice[] = [...indexKinds, ...indexes, ...(index === undefined ? [] : [index])];
  return [...new Map(choices.map((choice) => [indexNameOf(choice), choice])).values()];
}
