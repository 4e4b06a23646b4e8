import { loadTextAnalyser } from "@loci/core";
import type { CallOptions, Loci, MaintenanceJobType, Principal, TenantId } from "@loci/domain";
import { DeclaredMetadata } from "./projections/declared-metadata.ts";
import { BackgroundWork } from "./background-work.ts";
import { CaptureRunner } from "./capture/capture-runner.ts";
import { CaptureTriggers } from "./capture/capture-triggers.ts";
import { ThreadOrHere } from "./capture/reading/thread-or-here.ts";
import { runCapture } from "./capture/run-capture.ts";
import { CurrentServices } from "./calls/current-services.ts";
import { openForContents } from "./projections/index-contents.ts";
import { HistoryKeeper } from "./maintenance/history-keeper.ts";
import { IndexMover } from "./maintenance/index-mover.ts";
import { IndexFollower } from "./maintenance/index-follower.ts";
import { ownerOfProjection } from "./projections/index-record.ts";
import { DrainedProjection } from "./projections/drained-projection.ts";
import { keptProjections } from "./projections/kept-projections.ts";
import type { LogProjection } from "./projections/log-projection.ts";
import { openIndexSet } from "./projections/index-set.ts";
import { IndexUsers } from "./maintenance/index-users.ts";
import { Jobs } from "./jobs/jobs.ts";
import { JobTurns } from "./maintenance/job-turns.ts";
import { Maintenance } from "./maintenance/maintenance.ts";
import { TenantPresence } from "./tenant-presence.ts";
import { principalLoci } from "./principal-loci.ts";
import { keptMilliseconds } from "./receipts/kept-receipts-options.ts";
import { reportingSurely, warnOfProblem } from "./calls/report-problem.ts";
import { observeEngine } from "./observed-engine.ts";
import { RunningCalls } from "./calls/running-calls.ts";
import type { BoundFile, BoundFileInput } from "./blocks/bound-files.ts";
import { detectionPoliciesOf } from "./validation/detection-policies.ts";
import { blockSettingsOf } from "./blocks/block-settings.ts";
import { rememberConfiguration, rememberedConfiguration } from "./projections/search-configuration.ts";
import { TextAnalyses } from "./projections/text-analyses.ts";
import { TurnIds } from "./memories/turn-ids.ts";
import { indexChoicesOf } from "./projections/index-choices.ts";
import { recordIndexes } from "./projections/record-indexes.ts";
import { makeEngineServices } from "./make-engine-services.ts";
import type { EngineOptions } from "./engine-options.ts";

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
  const { ledger } = options;
  const reportProblem = reportingSurely(options.reportProblem ?? warnOfProblem);
  // Refused before anything is opened.
  const blockSettings = blockSettingsOf(options.blocks);
  const detection = detectionPoliciesOf(options.detection);
  const keepReceipts = keptMilliseconds(options.receipts);
  const search = await rememberedConfiguration(ledger, options);
  const analyses = new TextAnalyses(await loadTextAnalyser(search.language));
  const metadata = new DeclaredMetadata(search.metadataFields);
  await rememberConfiguration(ledger, search);
  const embeddingTimeLimit = options.embeddingTimeLimit ?? defaultEmbeddingTimeLimit;
  const choices = indexChoicesOf(options);
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
  const services = makeEngineServices(options, indexes, {
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
  const background = new BackgroundWork({ services, jobs, statementReader, users });
  await background.start(indexes);

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
    await Promise.all([calls.close(closeTimeLimit), background.closeJobs()]);
    await follower?.close();
    await background.stop(mover.active);
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
