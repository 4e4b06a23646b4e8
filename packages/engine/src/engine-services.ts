import type { HistoryCache } from "@loci/core";
import type { EmbeddingSpaceId, Instant, Ref } from "@loci/domain";
import type { Ledger, UsageEntry } from "@loci/ledger";
import type { TextIndex, VectorCollection, VectorStoreCapabilities } from "@loci/store";
import type { SpaceServices } from "./maintenance/index-set.ts";
import type { EmbeddingRepair } from "./embedding-repair.ts";
import type { DeclaredMetadata } from "./declared-metadata.ts";
import type { KeyedLock } from "./keyed-lock.ts";
import type { ModelUsage } from "./model-usage.ts";
import type { ModelSummarizer } from "./summaries/model-summarizer.ts";
import type { ProjectionDrainer } from "./projection-drainer.ts";
import type { TenantEmbedder, TextEmbedding } from "./text-embedding.ts";
import type { TextAnalyses } from "./text-analyses.ts";
import type { TokenCounters } from "./token-counters.ts";
import type { LimitedReranker } from "./rerank-candidates.ts";
import type { RotationMarks } from "./rotation-marks.ts";
import type { RunningTurns } from "./running-turns.ts";
import type { StandingReads } from "./standing-reads.ts";
import type { ScoringProfiles } from "./scoring-profiles.ts";
import type { TaskAges } from "./task-ages.ts";
import type { ThreadTurns } from "./thread-turns.ts";
import type { TurnIds } from "./turn-ids.ts";
import type { UsageRecorder } from "./usage-recorder.ts";
import type { UuidGenerator } from "./uuid-version-7.ts";

/** What the use-cases share. Made once by `createEngine`. */
export interface EngineServices {
  readonly ledger: Ledger;
  readonly vectors: VectorCollection;
  readonly vectorCapabilities: VectorStoreCapabilities;
  readonly textIndex: TextIndex;
  readonly embedder: TenantEmbedder;
  readonly embedding: TextEmbedding;
  /** Of the embedder. */
  readonly space: EmbeddingSpaceId;
  /** While everything is being embedded again: the space that what is written must be embedded in as well. */
  readonly nextSpace?: SpaceServices | undefined;
  readonly clock: () => Instant;
  readonly ids: UuidGenerator;
  readonly analyses: TextAnalyses;
  /** Work of milliseconds waits for its turn here. */
  readonly thread: ThreadTurns;
  /** What filters can ask for. */
  readonly metadata: DeclaredMetadata;
  readonly profiles: ScoringProfiles;
  readonly usage: UsageRecorder<UsageEntry>;
  /** What recalls gave, used or not. */
  readonly shown: UsageRecorder<Ref>;
  readonly rotation: RotationMarks;
  readonly repair: EmbeddingRepair;
  readonly drainers: { readonly vectors: ProjectionDrainer; readonly text: ProjectionDrainer };
  readonly conversations: KeyedLock;
  readonly turnIds: TurnIds;
  readonly tokens: TokenCounters;
  readonly modelUsage: ModelUsage;
  /** What was read of conversations, kept from one assembly to the next. */
  readonly conversationReadings: HistoryCache;
  readonly taskAges: TaskAges;
  /** What stands in every context of scopes. */
  readonly standing: StandingReads;
  readonly runningTurns: RunningTurns;
  /** Absent when none was given. */
  readonly reranker: LimitedReranker | undefined;
  /** Absent without a language model. */
  readonly summarizer: ModelSummarizer | undefined;
}
