import { HistoryCache, type ModelAddition, modelRegistry } from "@loci/core";
import { embeddingSpaceId, type Instant, type Loci, type Principal } from "@loci/domain";
import type { LanguageModel } from "@loci/language-model";
import type { Ledger } from "@loci/ledger";
import { type CollectionId, collectionId, type TextIndex, type VectorStore } from "@loci/store";
import { sha256 } from "./content-hash.ts";
import { EmbeddingRepair } from "./embedding-repair.ts";
import type { EngineServices } from "./engine-services.ts";
import { textChangeMaker, vectorChangeMaker } from "./index-changes.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { ModelUsage, type UsageCaps } from "./model-usage.ts";
import { principalLoci } from "./principal-loci.ts";
import { ProjectionDrainer } from "./projection-drainer.ts";
import { type ReportProblem, warnOfProblem } from "./report-problem.ts";
import { RotationMarks } from "./rotation-marks.ts";
import { RunningCalls } from "./running-calls.ts";
import { ModelSummarizer } from "./summaries/model-summarizer.ts";
import { TextAnalyses } from "./text-analyses.ts";
import { type TenantEmbedder, TextEmbedding } from "./text-embedding.ts";
import { TokenCounters } from "./token-counters.ts";
import { UsageRecorder } from "./usage-recorder.ts";
import { UuidGenerator } from "./uuid-version-7.ts";

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
  /** Summarises what a conversation's section has no room for. Default: an extractive summary, without any model. */
  readonly summaryModel?: LanguageModel | undefined;
  /** Told of failures in the background. Default: a warning of the process. */
  readonly reportProblem?: ReportProblem | undefined;
}

/** The use-cases over one ledger and its indexes, for any number of tenants and principals. */
export interface Engine extends AsyncDisposable {
  /** Loci as a principal may use it. Cheap: make one for each call if you like. */
  for(principal: Principal): Loci;
  /** Stops and starts the drainers, so that tests can look at indexes which are behind. Not for programs. */
  readonly drainers: { pause(): Promise<void>; resume(): void };
  /** Gives calls under way up to 2 s, records usage and stops all work in the background. */
  close(): Promise<void>;
}

const defaultEmbeddingTimeLimit = 2_000;
const closeTimeLimit = 2_000;

/**
 * Opens the collection of the embedder's space and sets the background work going: indexes that were lost are built
 * again, and what was stored without a vector gets one.
 *
 * @throws LociError what opening the collection and reading the ledger throws
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { ledger, textIndex, vectorStore, reportProblem = warnOfProblem } = options;
  const services = await openServices(options, reportProblem);
  const { drainers, repair, usage, rotation } = services;
  const projections = [
    { drainer: drainers.vectors, name: vectorProjection(options), isDurable: vectorStore.capabilities.durable },
    { drainer: drainers.text, name: textProjection(options), isDurable: textIndex.durable },
  ];
  for (const { drainer, name, isDurable } of projections) {
    if (!isDurable) await ledger.resetProjection(name);
    for (const { tenant } of await ledger.pending(name)) drainer.wake(tenant);
  }
  const stopListening = ledger.onCommitted((tenant) => {
    for (const { drainer } of projections) drainer.wake(tenant);
  });
  await repair.start();

  const calls = new RunningCalls();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await calls.close(closeTimeLimit);
    stopListening();
    await Promise.all([
      drainers.vectors.close(),
      drainers.text.close(),
      repair.close(),
      usage.close(),
      rotation.close(),
    ]);
  };
  return {
    for: (principal) => principalLoci(services, calls, principal),
    drainers: {
      pause: async () => void (await Promise.all([drainers.vectors.pause(), drainers.text.pause()])),
      resume: () => {
        drainers.vectors.resume();
        drainers.text.resume();
      },
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

function vectorProjection({ vectorStore, embedder }: EngineOptions): string {
  return `vectors:${vectorStore.name}:${collectionOf(embedder)}`;
}

function textProjection({ textIndex }: EngineOptions): string {
  return `text:${textIndex.name}`;
}

/** A collection for each space: another model's vectors are never compared with these. */
function collectionOf(embedder: TenantEmbedder): CollectionId {
  return collectionId(`memories-${sha256(embeddingSpaceId(embedder.space)).slice(0, 16)}`);
}

async function openServices(options: EngineOptions, reportProblem: ReportProblem): Promise<EngineServices> {
  const { ledger, vectorStore, textIndex, embedder, clock = Date.now } = options;
  const space = embeddingSpaceId(embedder.space);
  const vectors = await vectorStore.openCollection(collectionOf(embedder), embedder.space);
  const embedding = new TextEmbedding(embedder, options.embeddingTimeLimit ?? defaultEmbeddingTimeLimit);
  const analyses = new TextAnalyses();
  const models = modelRegistry(options.models ?? []);
  const modelUsage = new ModelUsage(ledger.modelUsage, models, options.usageCaps ?? {});
  const { summaryModel } = options;
  return {
    ledger,
    vectors,
    vectorCapabilities: vectorStore.capabilities,
    textIndex,
    embedder,
    embedding,
    space,
    clock,
    analyses,
    ids: new UuidGenerator(),
    usage: new UsageRecorder(ledger, reportProblem),
    rotation: new RotationMarks(ledger, reportProblem),
    repair: new EmbeddingRepair({ ledger, embedding, space, reportProblem }),
    drainers: {
      vectors: new ProjectionDrainer({
        ledger,
        name: vectorProjection(options),
        projection: vectors,
        makeChanges: vectorChangeMaker(ledger, space),
        reportProblem,
      }),
      text: new ProjectionDrainer({
        ledger,
        name: textProjection(options),
        projection: textIndex,
        makeChanges: textChangeMaker(ledger, analyses),
        reportProblem,
      }),
    },
    conversations: new KeyedLock(),
    tokens: new TokenCounters(models),
    modelUsage,
    conversationReadings: new HistoryCache(),
    summarizer:
      summaryModel === undefined ? undefined : new ModelSummarizer({ model: summaryModel, usage: modelUsage }),
  };
}
