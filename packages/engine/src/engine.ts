import {
  type DetectionPolicies,
  HistoryCache,
  loadTextAnalyser,
  type ModelAddition,
  modelRegistry,
  type TextLanguage,
} from "@loci/core";
import {
  type CallOptions,
  type Instant,
  type Loci,
  LociError,
  type MaintenanceJobType,
  type Principal,
  type Ref,
  type TenantId,
} from "@loci/domain";
import type { LanguageModel } from "@loci/language-model";
import type { Ledger } from "@loci/ledger";
import type { TextIndex, VectorStore } from "@loci/store";
import { DeclaredMetadata, type MetadataFields } from "./projections/declared-metadata.ts";
import type { EngineServices } from "./engine-services.ts";
import { KeyedLock } from "./calls/keyed-lock.ts";
import { CaptureModel } from "./capture/capture-model.ts";
import { CaptureRunner } from "./capture/capture-runner.ts";
import { CaptureTriggers } from "./capture/capture-triggers.ts";
import type { StatementReader } from "./capture/reading/statement-reader.ts";
import { ThreadOrHere } from "./capture/reading/thread-or-here.ts";
import { runCapture } from "./capture/run-capture.ts";
import { CurrentServices } from "./calls/current-services.ts";
import { openForContents } from "./projections/index-contents.ts";
import { HistoryKeeper } from "./maintenance/history-keeper.ts";
import { IndexMover, servicesOf } from "./maintenance/index-mover.ts";
import type { EmbedderChoice, IndexPlaces } from "./projections/index-places.ts";
import { IndexFollower } from "./maintenance/index-follower.ts";
import {
  changeIndexRecord,
  checkRecordedSpace,
  type IndexRecord,
  ownerOfProjection,
  sameConfiguration,
} from "./projections/index-record.ts";
import { DrainedProjection } from "./projections/drained-projection.ts";
import { keptProjections } from "./projections/kept-projections.ts";
import type { LogProjection } from "./projections/log-projection.ts";
import { type IndexSet, openIndexSet } from "./projections/index-set.ts";
import { IndexUsers } from "./maintenance/index-users.ts";
import type { BackupLedger, ScrubFiles } from "./maintenance/deployment-files.ts";
import { Jobs } from "./jobs/jobs.ts";
import { JobTurns } from "./maintenance/job-turns.ts";
import { Maintenance } from "./maintenance/maintenance.ts";
import { TenantPresence } from "./tenant-presence.ts";
import { GuardedModel } from "./usage/guarded-model.ts";
import { ModelTokenRate } from "./usage/model-token-rate.ts";
import { ModelUsage, type UsageCaps } from "./usage/model-usage.ts";
import { principalLoci } from "./principal-loci.ts";
import { keptMilliseconds, type KeptReceiptsOptions } from "./receipts/kept-receipts-options.ts";
import { ReceiptKeeper } from "./receipts/receipt-keeper.ts";
import { type ReportProblem, warnOfProblem } from "./calls/report-problem.ts";
import { LimitedReranker } from "./recall/rerank-candidates.ts";
import type { Reranker } from "./recall/reranker.ts";
import { observeEngine } from "./observed-engine.ts";
import { observedLanguageModel } from "./calls/observed-models.ts";
import { RotationMarks } from "./recall/rotation-marks.ts";
import { RunningCalls } from "./calls/running-calls.ts";
import { summarizerOf } from "./summaries/summarizer-of.ts";
import { RunningTurns } from "./recall/running-turns.ts";
import { type ScoringOptions, ScoringProfiles } from "./recall/scoring-profiles.ts";
import { RecentDays } from "./sessions/recent-days.ts";
import { SessionConversations } from "./assembly/session-conversations.ts";
import { type BoundFile, type BoundFileInput, BoundFiles } from "./blocks/bound-files.ts";
import type { BlockSettings } from "./blocks/block-services.ts";
import { detectionPoliciesOf, type GivenDetectionPolicies } from "./validation/detection-policies.ts";
import { blockSettingsOf, type GivenBlockSettings } from "./blocks/block-settings.ts";
import { BlockReadings } from "./blocks/block-readings.ts";
import { StandingReads } from "./assembly/standing-reads.ts";
import { rememberConfiguration, rememberedConfiguration } from "./projections/search-configuration.ts";
import { TaskAges } from "./assembly/task-ages.ts";
import { ThreadTurns } from "./calls/thread-turns.ts";
import { TextAnalyses } from "./projections/text-analyses.ts";
import type { TenantEmbedder } from "./embedding/text-embedding.ts";
import { TokenCounters } from "./budget/token-counters.ts";
import { TurnIds } from "./memories/turn-ids.ts";
import { UsageRecorder } from "./usage/usage-recorder.ts";
import { UuidGenerator } from "./calls/uuid-version-7.ts";

export interface EngineOptions {
  /** The parts belong to the caller, who closes them after the engine. */
  readonly ledger: Ledger;
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  readonly embedder: TenantEmbedder;
  /** Gives the time of what is written, in milliseconds since 1970. Default the system's. */
  readonly clock?: (() => Instant) | undefined;
  /** How long a call waits for the embedder, in milliseconds. Default 2,000. */
  readonly embeddingTimeLimit?: number | undefined;
  /** Models to add to those known, or to change. Default none. */
  readonly models?: readonly ModelAddition[] | undefined;
  /** What sessions and tenants may use at most, of what was recorded. Default no cap. */
  readonly usageCaps?: UsageCaps | undefined;
  /**
   * Tokens of language models, input and output together, that summaries and captures may use a minute on behalf of one caller: the
   * same tenant and subject. Beyond it they go by rules, and say so. A whole number from 1. Default no limit.
   */
  readonly modelTokensPerMinute?: number | undefined;
  /** Summarises what a conversation's section has no room for. Default: an extractive summary, without any model. */
  readonly summaryModel?: LanguageModel | undefined;
  /**
   * What `summaryModel` is told a summary is for and should keep, such as `You summarise support calls. Keep order numbers.`
   * The form of its answer, and that what was said is data, is added. Default: decisions, state of the task, open questions.
   */
  readonly summaryTemplate?: string | undefined;
  /** Finds what is worth remembering of sessions, and judges it beside what is known. Default: rules do, without any model. */
  readonly captureModel?: LanguageModel | undefined;
  /** How long nobody else may take up a capture after this process has died, in milliseconds. Default 60,000. */
  readonly captureLease?: number | undefined;
  /** Judges the best candidates of each recall once more. Default none. */
  readonly reranker?: Reranker | undefined;
  /** How long a recall waits for the reranker, in milliseconds. Default 1,000. */
  readonly rerankTimeLimit?: number | undefined;
  /**
   * What filters can ask for besides the fields every memory has. Indexes are built again when it changes. Default: what
   * was given the last time, at first nothing.
   */
  readonly metadataFields?: MetadataFields | undefined;
  /** Of the memories' texts. Indexes are built again when it changes. Default: as the last time, at first `english`. */
  readonly language?: TextLanguage | undefined;
  /** How recall scores where a call does not say. Default: the profile `balanced` for every tenant. */
  readonly scoring?: ScoringOptions | undefined;
  /**
   * How long the text form of a block may be, in UTF-16 units (default 1,500), and when human blocks give up their oldest
   * entries: above 70% (`aggressive`), above 90% (`preservative`), or by what was needed lately (`adaptive`, default, from
   * `threshold` 0.80). Another value is `INVALID_CONFIGURATION`.
   */
  readonly blocks?: GivenBlockSettings | undefined;
  /**
   * What becomes of secrets and personal data that somebody says, by class: `refuse` (default for `api_key`, `token`,
   * `private_key`, `password`, `connection_string`, `card`, `iban`, `government_id`), `redact` (default for `email`, `phone`),
   * `quarantine`, `allow`. Another class or policy is `INVALID_CONFIGURATION`.
   */
  readonly detection?: GivenDetectionPolicies | undefined;
  /** Whether the receipts of contexts can be looked up later, by `receipts.list`. Default: none are kept. */
  readonly receipts?: KeptReceiptsOptions | undefined;
  /** The other places indexes can be moved to. Default: none. */
  readonly places?: IndexPlaces | undefined;
  /** The other embedders that everything can be embedded with again. Default: none. */
  readonly embedders?: EmbedderChoice | undefined;
  /**
   * Tells this server from the others that use the same ledger. With it, the engine follows when another one moves the
   * indexes, and removes none that another one uses. Default: nobody else uses the ledger.
   */
  readonly server?: string | undefined;
  /**
   * Whether tenants may come to the ledger from another one: then each call looks for what its tenant has brought along.
   * Default false: every tenant began in this ledger.
   */
  readonly tenantsMove?: boolean | undefined;
  /** The names the configuration gives, which a move may have gone on from. Default: the active ones. */
  readonly configured?: IndexRecord["configured"] | undefined;
  /** Copies the ledger while it is in use. Default: its database has tools of its own, and `backup` is refused. */
  readonly backupLedger?: BackupLedger | undefined;
  /** Removes or makes anew what the deployment keeps beside ledger and indexes. Default: nothing is kept. */
  readonly scrubFiles?: ScrubFiles | undefined;
  /** What is kept up with the log besides the indexes. Default nothing. */
  readonly projections?: readonly LogProjection[] | undefined;
  /** Told of failures in the background. Default: a warning of the process. */
  readonly reportProblem?: ReportProblem | undefined;
}

/** The use-cases over one ledger and its indexes, for any number of tenants and principals. */
export interface Engine extends AsyncDisposable {
  /** Loci as a principal may use it. Cheap: make one for each call if you like. */
  for(principal: Principal): Loci;
  /** Whose turn it is to run jobs that come back, among the servers on this ledger. */
  readonly turns: JobTurns;
  /** Durable work: what is enqueued here is carried out by one of the servers on this ledger, also after one has died. */
  readonly jobs: Jobs;
  /**
   * Keeps a document of a tenant's owner as a file: what is changed in one is changed in the other before the next context that
   * shows it. For as long as the engine is open.
   */
  bindFile(tenant: TenantId, input: BoundFileInput, options?: CallOptions): Promise<BoundFile>;
  /** For when a tenant comes from another ledger, or goes to one. */
  readonly presence: TenantPresence;
  /** Stops and starts the drainers, so that tests can look at indexes which are behind. Not for programs. */
  readonly drainers: { pause(): Promise<void>; resume(): void };
  /** Gives calls under way up to 2 s, records usage and stops all work in the background. */
  close(): Promise<void>;
}

const defaultEmbeddingTimeLimit = 2_000;
const defaultRerankTimeLimit = 1_000;
const closeTimeLimit = 2_000;
/** So many captures wait for a model at once. By rules they take the thread, and go one by one. */
const capturesByModel = 4;
/** Jobs on the indexes, which each server runs for those that are its own. */
const indexJobs: ReadonlySet<MaintenanceJobType> = new Set<MaintenanceJobType>(["compact", "verify"]);

/**
 * Opens the collection of the embedder's space and sets the background work going: indexes that were lost are built
 * again, and what was stored without a vector gets one.
 *
 * @throws LociError `EMBEDDING_SPACE_MISMATCH` when the memories were embedded by another model; what opening the
 *   collection and reading the ledger throws
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { ledger, reportProblem = warnOfProblem } = options;
  // Refused before anything is opened.
  const blockSettings = blockSettingsOf(options.blocks);
  const detection = detectionPoliciesOf(options.detection);
  const keepReceipts = keptMilliseconds(options.receipts);
  const search = await rememberedConfiguration(ledger, options);
  const analyses = new TextAnalyses(await loadTextAnalyser(search.language));
  const metadata = new DeclaredMetadata(search.metadataFields);
  await rememberConfiguration(ledger, search);
  const embeddingTimeLimit = options.embeddingTimeLimit ?? defaultEmbeddingTimeLimit;
  const choices = choicesOf(options);
  const { places, embedders, configured } = choices;
  const indexes = await openIndexSet({
    ledger,
    analyses,
    metadata,
    embeddingTimeLimit,
    reportProblem,
    place: places.active,
    opened: await openForContents({ ledger, analyses, metadata, places }, places.active, options.embedder.space),
    embedderName: embedders.active,
    embedder: options.embedder,
  });
  await recordIndexes(ledger, indexes, configured, options.server === undefined ? undefined : choices);
  const turnIds = await TurnIds.open(ledger, options.clock ?? Date.now);
  const jobs = new Jobs({ table: ledger.jobs, reportProblem });
  const runner = new CaptureRunner({
    ledger,
    jobs,
    concurrency: options.captureModel === undefined ? 1 : capturesByModel,
    leaseMilliseconds: options.captureLease,
    run: (tenant, capture, signal) => current.use((now) => runCapture(now, { tenant, signal }, capture)),
    reportProblem,
  });
  const statementReader = new ThreadOrHere({ reportProblem });
  const triggers = new CaptureTriggers({
    ledger,
    clock: options.clock ?? Date.now,
    enqueue: (tenant, capture) => runner.enqueue(tenant, capture),
  });
  const drained = (projection: LogProjection): DrainedProjection =>
    new DrainedProjection({ ledger, projection, reportProblem });
  const captureOrders = drained(triggers);
  const otherProjections = [...(options.projections ?? []).map(drained), captureOrders];
  const services = makeServices(options, indexes, {
    turnIds,
    analyses,
    metadata,
    otherProjections,
    reportProblem,
    captureRunner: runner,
    captureOrders,
    statementReader,
    blockSettings,
    detection,
    keepReceipts,
  });
  const current = new CurrentServices(services);
  const users = options.server === undefined ? undefined : new IndexUsers(ledger, options.server, reportProblem);
  /** Stops what works in the background on these indexes, and records what is waiting. */
  const stop = async ({ projections, repair }: Pick<IndexSet, "projections" | "repair">): Promise<void> => {
    await runner.close();
    await statementReader[Symbol.asyncDispose]();
    const { usage, shown, rotation, receipts, sessionConversations } = services;
    const indexParts = [projections.vectors, projections.text, ...otherProjections, repair];
    const parts = [...indexParts, usage, shown, rotation, receipts, sessionConversations];
    await Promise.all([...parts.map((part) => part.close()), users?.close()]);
  };
  /** Those who order captures stop before the jobs that they order: they would be refused, and report it. */
  const closeJobs = async (): Promise<void> => {
    await Promise.all([runner.close(), captureOrders.close()]);
    await jobs.close();
  };
  try {
    await indexes.projections.vectors.start();
    await indexes.projections.text.start();
    for (const projection of otherProjections) await projection.start();
    runner.start();
    indexes.repair.start();
    await users?.start(indexes);
  } catch (error) {
    // What fails while it is stopped fails for the same reason, which is the one to tell.
    await closeJobs();
    await stop(indexes).catch(() => undefined);
    throw error;
  }

  const mover = new IndexMover(indexes, {
    ledger,
    users,
    current,
    analyses,
    metadata,
    embeddingTimeLimit,
    reportProblem,
    ...choices,
  });
  const follower = users === undefined ? undefined : new IndexFollower(ledger, mover, reportProblem);
  const keeper = new HistoryKeeper(ledger, () => mover.active.history, reportProblem);
  const calls = new RunningCalls();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stopObserving();
    await Promise.all([calls.close(closeTimeLimit), closeJobs()]);
    await follower?.close();
    await stop(mover.active);
    await keeper.close();
  };
  const maintenance = new Maintenance({
    current,
    mover,
    backupLedger: options.backupLedger,
    scrubFiles: options.scrubFiles,
  });
  const stopObserving = observeEngine({
    jobs,
    projections: () => keptProjections(current.now),
    embedder: () => mover.active.embedder,
  });
  const turns = new JobTurns({
    ledger,
    clock: services.clock,
    ownerOf: (job) => {
      const { vectors, text } = mover.active.projections;
      const hasOwn = [vectors, text].some(({ name }) => ownerOfProjection(name) !== undefined);
      return hasOwn && indexJobs.has(job) ? options.server : undefined;
    },
  });
  return {
    turns,
    jobs,
    presence: new TenantPresence(current),
    for: (principal) => principalLoci({ current, calls, maintenance }, principal),
    bindFile: (tenant, input, call = {}) =>
      calls.run(call, (signal) => current.use((now) => now.boundFiles.bind(now, { tenant, signal }, input))),
    drainers: {
      pause: async () => {
        await Promise.all(keptProjections(current.now).map(({ drainer }) => drainer.pause()));
      },
      resume: () => {
        for (const { drainer } of keptProjections(current.now)) drainer.resume();
      },
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/**
 * Notes which indexes are in use, so that what was embedded by another model is noticed at the next start.
 *
 * @param shared with other servers: where they have moved to during this start is left as it is, to be followed
 */
async function recordIndexes(
  ledger: Ledger,
  indexes: IndexSet,
  configured: IndexRecord["configured"],
  shared: Choices | undefined,
): Promise<void> {
  const { place, embedderName: embedder, space } = indexes;
  const isEmpty = (await ledger.tenants({ limit: 1 })).length === 0;
  await changeIndexRecord(ledger, (recorded) => {
    if (recorded !== undefined && shared !== undefined && canBeFollowed(recorded, configured, shared)) return recorded;
    if (recorded !== undefined && !isEmpty) checkRecordedSpace(recorded, embedder, space);
    return { place, embedder, space, configured, former: recorded?.former ?? [] };
  });
}

/** Whether another server, configured alike, has recorded indexes that can be opened here. */
function canBeFollowed(
  recorded: IndexRecord,
  configured: IndexRecord["configured"],
  { places, embedders }: Choices,
): boolean {
  return (
    sameConfiguration(recorded.configured, configured) &&
    (recorded.place !== places.active || recorded.embedder !== embedders.active) &&
    places.available.includes(recorded.place) &&
    embedders.available.includes(recorded.embedder)
  );
}

interface Choices {
  readonly places: IndexPlaces;
  readonly embedders: EmbedderChoice;
  readonly configured: IndexRecord["configured"];
}

/** Without a choice there are the parts that were given, and nowhere to move to. */
function choicesOf(options: EngineOptions): Choices {
  const { vectorStore, embedder } = options;
  const places: IndexPlaces = options.places ?? {
    active: vectorStore.name,
    available: [vectorStore.name],
    open: async () => options,
    close: async () => undefined,
    // What is lost at every start is built again then.
    drop: async () => refuseDurable(options),
  };
  const embedders: EmbedderChoice = options.embedders ?? {
    active: "configured",
    available: ["configured"],
    open: async () => embedder,
  };
  return {
    places,
    embedders,
    configured: options.configured ?? { place: places.active, embedder: embedders.active },
  };
}

/** @throws LociError `INVALID_CONFIGURATION` for indexes that outlive this process */
function refuseDurable({ vectorStore, textIndex }: EngineOptions): void {
  if (!vectorStore.capabilities.durable && !textIndex.durable) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message: "The indexes were made for another language or other metadata, and the engine cannot remove them.",
    advice: "Give the engine its indexes as places, or remove them and start again.",
  });
}

interface OpenedParts {
  readonly turnIds: TurnIds;
  readonly analyses: TextAnalyses;
  readonly metadata: DeclaredMetadata;
  readonly otherProjections: readonly DrainedProjection[];
  readonly reportProblem: ReportProblem;
  readonly captureRunner: CaptureRunner;
  readonly captureOrders: DrainedProjection;
  readonly statementReader: StatementReader;
  readonly blockSettings: BlockSettings;
  readonly detection: DetectionPolicies;
  readonly keepReceipts: number;
}

function makeServices(
  options: EngineOptions,
  indexes: IndexSet,
  {
    turnIds,
    analyses,
    metadata,
    otherProjections,
    reportProblem,
    captureRunner,
    captureOrders,
    statementReader,
    blockSettings,
    detection,
    keepReceipts,
  }: OpenedParts,
): EngineServices {
  const { ledger, clock = Date.now } = options;
  const models = modelRegistry(options.models ?? []);
  const modelUsage = new ModelUsage(ledger, models, options.usageCaps ?? {});
  const { modelTokensPerMinute: tokensPerMinute } = options;
  const rate = tokensPerMinute === undefined ? undefined : new ModelTokenRate({ tokensPerMinute });
  const guarded = (model: LanguageModel): GuardedModel =>
    new GuardedModel({ model: observedLanguageModel(model), usage: modelUsage, rate });
  const shown = new UsageRecorder<Ref>({
    write: (tenant, refs) => ledger.recordShown(tenant, refs),
    activity: "recording what was shown",
    reportProblem,
  });
  const { captureModel, reranker, rerankTimeLimit = defaultRerankTimeLimit } = options;
  return {
    ...servicesOf(indexes),
    ledger,
    clock,
    analyses,
    metadata,
    otherProjections,
    captureRunner,
    captureOrders,
    statementReader,
    captureModel: captureModel && new CaptureModel({ model: guarded(captureModel), usage: modelUsage, detection }),
    profiles: new ScoringProfiles(options.scoring),
    ids: new UuidGenerator(),
    usage: new UsageRecorder({
      write: (tenant, entries) => ledger.recordUsage(tenant, entries),
      activity: "recording usage",
      reportProblem,
    }),
    shown,
    rotation: new RotationMarks(ledger, shown, reportProblem),
    taskAges: new TaskAges(),
    receipts: new ReceiptKeeper({
      ledger,
      clock,
      keepMilliseconds: keepReceipts,
      reportProblem,
    }),
    thread: new ThreadTurns(),
    standing: new StandingReads(ledger),
    runningTurns: new RunningTurns(),
    conversations: new KeyedLock(),
    blockOwners: new KeyedLock(),
    blockSettings,
    detection,
    turnIds: options.tenantsMove === true ? (tenant) => TurnIds.of(ledger, tenant, turnIds) : async () => turnIds,
    tokens: new TokenCounters(models),
    modelUsage,
    conversationReadings: new HistoryCache(),
    sessionConversations: new SessionConversations({ reportProblem }),
    recentDays: new RecentDays(),
    blockReadings: new BlockReadings(),
    boundFiles: new BoundFiles(),
    reranker: reranker === undefined ? undefined : new LimitedReranker(reranker, rerankTimeLimit),
    summarizer: summarizerOf(options, { guarded, detection }),
  };
}
