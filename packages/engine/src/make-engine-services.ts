import { type DetectionPolicies, HistoryCache, modelRegistry } from "@loci/core";
import type { Ref } from "@loci/domain";
import type { LanguageModel } from "@loci/language-model";
import type { DeclaredMetadata } from "./projections/declared-metadata.ts";
import type { EngineServices } from "./engine-services.ts";
import { KeyedLock } from "./calls/keyed-lock.ts";
import { CaptureModel } from "./capture/capture-model.ts";
import type { CaptureRunner } from "./capture/capture-runner.ts";
import type { StatementReader } from "./capture/reading/statement-reader.ts";
import { servicesOf } from "./maintenance/index-mover.ts";
import type { DrainedProjection } from "./projections/drained-projection.ts";
import type { IndexSet } from "./projections/index-set.ts";
import { GuardedModel } from "./usage/guarded-model.ts";
import { ModelTokenRate } from "./usage/model-token-rate.ts";
import { ModelUsage } from "./usage/model-usage.ts";
import { ReceiptKeeper } from "./receipts/receipt-keeper.ts";
import type { ReportProblem } from "./calls/report-problem.ts";
import { LimitedReranker } from "./recall/rerank-candidates.ts";
import { observedLanguageModel } from "./calls/observed-models.ts";
import { RotationMarks } from "./recall/rotation-marks.ts";
import { summarizerOf } from "./summaries/summarizer-of.ts";
import { RunningTurns } from "./recall/running-turns.ts";
import { ScoringProfiles } from "./recall/scoring-profiles.ts";
import { RecentDays } from "./sessions/recent-days.ts";
import { SessionConversations } from "./assembly/session-conversations.ts";
import { BoundFiles } from "./blocks/bound-files.ts";
import type { BlockSettings } from "./blocks/block-services.ts";
import { BlockReadings } from "./blocks/block-readings.ts";
import { StandingReads } from "./assembly/standing-reads.ts";
import { TaskAges } from "./assembly/task-ages.ts";
import { ThreadTurns } from "./calls/thread-turns.ts";
import type { TextAnalyses } from "./projections/text-analyses.ts";
import { TokenCounters } from "./budget/token-counters.ts";
import { TurnIds } from "./memories/turn-ids.ts";
import { UsageRecorder } from "./usage/usage-recorder.ts";
import { UuidGenerator } from "./calls/uuid-version-7.ts";
import type { EngineOptions } from "./engine-options.ts";

const defaultRerankTimeLimit = 1_000;

/** What was opened before: the services are made around it. */
export interface OpenedParts {
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

/** Makes what lasts as long as the engine, around the indexes that it begins with. */
export function makeEngineServices(
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
    new GuardedModel({ model: observedLanguageModel(model), usage: modelUsage, rate, reportProblem });
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
    reportProblem,
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
