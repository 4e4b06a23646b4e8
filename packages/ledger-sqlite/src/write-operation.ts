import type { EncryptionKeys } from "@loci/encryption";
import type { EncodedCommit } from "@loci/ledger/sql";
import type {
  ContentHash,
  EmbeddingSpaceId,
  Instant,
  LociErrorJson,
  MemoryUsage,
  Ref,
  Scope,
  Sequence,
  TenantId,
} from "@loci/domain";
import type { FileUpkeep } from "./maintain-file.ts";
import type { HideTenantsOperation, MoveOperation, MoveResult } from "./moving/move-operation.ts";
import type {
  Checkpoint,
  CheckpointOwner,
  ClaimedJob,
  Committed,
  JobClaim,
  JobLease,
  JobOutcome,
  ModelUsageEntry,
  NewJob,
  NewReceipt,
  Purged,
  RecallMark,
  ResealStep,
  StoredJob,
  UsageEntry,
} from "@loci/ledger";

/** Where the vectors of one text lie in the `values` that travel with them, in floats. */
export interface EncodedEmbedding {
  readonly space: EmbeddingSpaceId;
  readonly contentHash: ContentHash;
  readonly chunks: number;
  readonly start: number;
  readonly end: number;
}

export interface CommitOperation extends EncodedCommit {
  readonly type: "commit";
  readonly embeddings: readonly EncodedEmbedding[];
  readonly values: Float32Array<ArrayBuffer>;
}

/** What became of a commit. */
export interface CommitResult {
  readonly committed: Committed;
  /** Which of its embeddings are now those of record: there was none of their text in their space. */
  readonly firstEmbeddings: readonly number[];
}

export interface RecordUsageOperation {
  readonly type: "recordUsage";
  readonly tenant: TenantId;
  readonly entries: readonly UsageEntry[];
}

/** A ref may be there several times. */
export interface RecordShownOperation {
  readonly type: "recordShown";
  readonly tenant: TenantId;
  readonly refs: readonly Ref[];
}

export interface ModelUsageOperation {
  readonly type: "modelUsage";
  readonly tenant: TenantId;
  readonly entry: ModelUsageEntry;
}

export interface RecallMarksOperation {
  readonly type: "recallMarks";
  readonly tenant: TenantId;
  readonly marks: readonly RecallMark[];
}

/** Keeps receipts, of the tenant the newest `most`. */
export interface ReceiptsOperation {
  readonly type: "receipts";
  readonly tenant: TenantId;
  readonly receipts: readonly NewReceipt[];
  readonly most: number;
}

export interface CheckpointsOperation {
  readonly type: "checkpoints";
  readonly tenant: TenantId;
  readonly owner: CheckpointOwner;
  readonly checkpoints: readonly Checkpoint[];
  readonly replaces: boolean;
}

export interface CacheOperation {
  readonly type: "cache";
  readonly tenant: TenantId;
  readonly keys: readonly string[];
  /** One for each key: where its vector lies in `values`. */
  readonly bounds: readonly { readonly start: number; readonly end: number }[];
  readonly values: Float32Array<ArrayBuffer>;
}

/** How many a purge has removed that were there. */
export type PurgedCounts = Pick<Purged, "memories" | "resources">;

/** Removes memories and resources for good. Refs that do not exist are passed over. */
export interface PurgeOperation {
  readonly type: "purge";
  readonly tenant: TenantId;
  readonly refs: readonly Ref[];
}

/** Removes what purged memories and scopes have left behind elsewhere; of the whole tenant when everything goes. */
export interface SweepOperation {
  readonly type: "sweep";
  readonly tenant: TenantId;
  readonly everything: boolean;
  readonly scopes: readonly Scope[];
}

export interface SettingOperation {
  readonly type: "setting";
  readonly tenant: TenantId | undefined;
  readonly name: string;
  readonly value: string | undefined;
}

/** Sets a value that is still the expected one, `undefined` for none. */
export interface SettingIfOperation {
  readonly type: "settingIf";
  readonly tenant: TenantId | undefined;
  readonly name: string;
  readonly expected: string | undefined;
  readonly value: string;
}

/** Works on the whole file, outside any transaction, and so in a group of its own. */
export interface MaintainOperation {
  readonly type: "maintain";
  readonly scrub: boolean;
}

/** Empties the log of the file, with what deferred steps of moving tenants have written. */
export interface EmptyLogOperation {
  readonly type: "emptyLog";
}

/** Seals some rows under the current key. Not for one tenant: it passes over those that are on their way. */
export interface ResealOperation {
  readonly type: "reseal";
  /** Where to go on. Absent: at the beginning. */
  readonly from: string | undefined;
}

/** Notes that nothing is sealed under any other key than the current one, at the end of a pass of sealing. */
export interface RetireKeysOperation {
  readonly type: "retireKeys";
  readonly pass: string;
}

/** Taking, renewing and giving back the lease of a projection. */
export interface LeaseOperation {
  readonly type: "lease" | "release";
  readonly tenant: TenantId;
  readonly projection: string;
  readonly holder: string;
}

export interface AcknowledgeOperation {
  readonly type: "acknowledge";
  readonly tenant: TenantId;
  readonly projection: string;
  readonly holder: string;
  readonly through: Sequence;
}

export interface ResetProjectionOperation {
  readonly type: "resetProjection";
  readonly projection: string;
}

export interface EnqueueJobOperation {
  readonly type: "enqueueJob";
  readonly tenant: TenantId | undefined;
  readonly job: NewJob;
}

export interface ClaimJobOperation {
  readonly type: "claimJob";
  readonly claim: JobClaim;
}

export interface RenewJobOperation {
  readonly type: "renewJob";
  readonly lease: JobLease;
  readonly leaseMilliseconds: number;
  readonly progress: string | undefined;
}

export interface FinishJobOperation {
  readonly type: "finishJob";
  readonly lease: JobLease;
  readonly outcome: JobOutcome;
}

export interface CancelJobOperation {
  readonly type: "cancelJob";
  readonly tenant: TenantId | undefined;
  readonly id: string;
}

/** What is done about a job that there is. */
export type ChangeJobOperation = EnqueueJobOperation | RenewJobOperation | FinishJobOperation;

/** Everything the writer thread can be asked for. Plain data: it crosses a thread boundary. */
export type WriteOperation =
  | CommitOperation
  | RecordUsageOperation
  | RecordShownOperation
  | ModelUsageOperation
  | RecallMarksOperation
  | ReceiptsOperation
  | CheckpointsOperation
  | CacheOperation
  | PurgeOperation
  | SweepOperation
  | SettingOperation
  | SettingIfOperation
  | MaintainOperation
  | ResealOperation
  | RetireKeysOperation
  | LeaseOperation
  | AcknowledgeOperation
  | ResetProjectionOperation
  | ChangeJobOperation
  | ClaimJobOperation
  | CancelJobOperation
  | MoveOperation
  | EmptyLogOperation
  | HideTenantsOperation;

/**
 * What an operation gives: `lease`, `release` and `acknowledge` say whether the holder has or had the lease, `settingIf`
 * whether the value was set, `emptyLog` whether it is empty, `purge` how many are gone, `recordUsage` the usage that
 * the memories have now, and what concerns a job that job.
 */
export type ResultOf<Operation extends WriteOperation> = Operation extends CommitOperation
  ? CommitResult
  : Operation extends MoveOperation
    ? MoveResult
    : Operation extends ResealOperation
      ? ResealStep
      : Operation extends RetireKeysOperation
        ? readonly string[] | undefined
        : Operation extends PurgeOperation
          ? PurgedCounts
          : Operation extends MaintainOperation
            ? FileUpkeep
            : Operation extends EmptyLogOperation | LeaseOperation | AcknowledgeOperation | SettingIfOperation
              ? boolean
              : Operation extends RecordUsageOperation
                ? ReadonlyMap<Ref, MemoryUsage>
                : Operation extends ChangeJobOperation
                  ? StoredJob
                  : Operation extends ClaimJobOperation
                    ? ClaimedJob | undefined
                    : Operation extends CancelJobOperation
                      ? StoredJob | undefined
                      : undefined;

/** Whether it works outside any transaction, or in some of its own, and so in a group of its own. */
export function isAlone({ type }: WriteOperation): boolean {
  return type === "maintain" || type === "moveTenant" || type === "emptyLog" || type === "hideTenants";
}

/** Operations that are written in one transaction. */
export interface WriteGroup {
  /** By the ledger's clock. */
  readonly now: Instant;
  readonly operations: readonly WriteOperation[];
}

/** How one operation of a group ended. */
export type Outcome =
  | { readonly succeeded: true; readonly result: ResultOf<WriteOperation> }
  | { readonly succeeded: false; readonly error: LociErrorJson };

/** What the writer is set to. */
export interface WriterSettings {
  readonly path: string;
  readonly requestRetentionMilliseconds: number;
  readonly embeddingCacheRows: number;
  /** Absent: nothing is encrypted. */
  readonly encryption?: EncryptionKeys | undefined;
}

export type MessageToWriter = { readonly type: "group"; readonly group: WriteGroup } | { readonly type: "close" };

export type MessageFromWriter =
  | { readonly type: "opened" }
  | { readonly type: "refused"; readonly error: LociErrorJson }
  | { readonly type: "written"; readonly outcomes: readonly Outcome[] };
