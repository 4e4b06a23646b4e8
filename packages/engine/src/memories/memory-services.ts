import type { DetectionPolicies } from "@loci/core";
import type { EmbeddingSpaceId, Instant, TenantId } from "@loci/domain";
import type { Ledger, UsageEntry } from "@loci/ledger";
import type { KeyedLock } from "../calls/keyed-lock.ts";
import type { ThreadTurns } from "../calls/thread-turns.ts";
import type { UuidGenerator } from "../calls/uuid-version-7.ts";
import type { EmbeddingRepair } from "../embedding/embedding-repair.ts";
import type { TextEmbedding } from "../embedding/text-embedding.ts";
import type { DeclaredMetadata } from "../projections/declared-metadata.ts";
import type { SpaceServices } from "../projections/index-set.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";
import type { TurnIds } from "./turn-ids.ts";

/** What it takes to read and write memories. */
export interface MemoryServices {
  readonly ledger: Ledger;
  readonly embedding: TextEmbedding;
  /** Of the embedder. */
  readonly space: EmbeddingSpaceId;
  /** While everything is being embedded again: the space that what is written must be embedded in as well. */
  readonly nextSpace?: SpaceServices | undefined;
  readonly repair: EmbeddingRepair;
  readonly metadata: DeclaredMetadata;
  readonly clock: () => Instant;
  readonly ids: UuidGenerator;
  /** Long inputs are read in turns with others. */
  readonly thread: ThreadTurns;
  readonly turnIds: (tenant: TenantId) => Promise<TurnIds>;
  /** One writer at a time for each conversation. */
  readonly conversations: KeyedLock;
  readonly usage: UsageRecorder<UsageEntry>;
  /** What becomes of secrets and personal data. */
  readonly detection: DetectionPolicies;
}
