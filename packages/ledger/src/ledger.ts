import type {
  CallOptions,
  Category,
  ContentHash,
  EmbeddingSpaceId,
  Instant,
  ModelTokens,
  NonEmpty,
  Principal,
  Ref,
  Scope,
  Sequence,
  TenantId,
  Version,
} from "@loci/domain";
import type { Change, RecordedChange } from "./change.ts";
import type { LedgerMaintenance } from "./ledger-maintenance.ts";
import type { StoredMemory } from "./stored-memory.ts";

/** Vectors of one text in one space: one, or one a chunk. Written with the change that needs them. */
export interface EmbeddingOfRecord {
  readonly space: EmbeddingSpaceId;
  readonly contentHash: ContentHash;
  /** Float32, of length 1. */
  readonly vectors: NonEmpty<Float32Array>;
}

/** Something that must be so for a batch to be committed. */
export interface Expectation {
  readonly ref: Ref;
  /** The current version; 0: it must not exist. A tombstone has a version like any other. */
  readonly version: Version;
}

/** That no other memory says the same when a batch is committed. */
export interface TextExpectation {
  readonly scope: Scope;
  /** Compared as `byTexts` compares. */
  readonly text: string;
  /** Active memories with this text that are known of. */
  readonly known: readonly Ref[];
}

/** Makes a batch safe to repeat. Scoped to tenant, subject and method. */
export interface Idempotency {
  readonly method: string;
  readonly requestId: string;
  /** Of the request as the caller sent it, before ids and times were made up. */
  readonly bodyHash: string;
}

export interface CommitBatch {
  readonly principal: Principal;
  readonly idempotency?: Idempotency | undefined;
  readonly expect: readonly Expectation[];
  /** Before the batch's changes: one more active memory with the text is a `VERSION_CONFLICT`. */
  readonly expectTexts?: readonly TextExpectation[] | undefined;
  readonly changes: readonly Change[];
  readonly embeddings?: readonly EmbeddingOfRecord[] | undefined;
  /** What a model call used, outside the log like `modelUsage.add`, but counted once for each idempotency key. */
  readonly modelUsage?: ModelUsageEntry | undefined;
}

export interface Committed {
  /** Of the batch's last change. */
  readonly sequence: Sequence;
  readonly recordedAt: Instant;
  /** True when the idempotency key had been used: nothing was written, and `results` are the first time's. */
  readonly replayed: boolean;
  /** One a change, in order. */
  readonly results: readonly { readonly ref: Ref; readonly version: Version }[];
}

export interface ListQuery {
  readonly scopes: NonEmpty<Scope>;
  readonly categories?: readonly Category[] | undefined;
  /** Memories that expired by then are left out. */
  readonly evaluationTime: Instant;
  readonly limit: number;
  /** The last one of the page before. */
  readonly after?: { readonly createdAt: Instant; readonly ref: Ref } | undefined;
}

/** What was known of some scopes at a recorded time. */
export interface KnownAtQuery {
  readonly scopes: NonEmpty<Scope>;
  /** By the ledger's clock, inclusive. */
  readonly knownAt: Instant;
  /** Most versions to give. More of them is a refusal, never a part. */
  readonly limit: number;
}

/** One use of a memory. */
export interface UsageEntry {
  readonly ref: Ref;
  readonly at: Instant;
}

/**
 * The right to drain one tenant's log into one projection. Ends by itself when its holder stops renewing it, 5 s after the
 * last time at the earliest.
 */
export interface ProjectionLease {
  /** Notes how far the projection has come, and renews the lease. False when another holder has taken over. */
  acknowledge(through: Sequence): Promise<boolean>;
  release(): Promise<void>;
}

/** A tenant whose log is ahead of a projection. */
export interface PendingProjection {
  readonly tenant: TenantId;
  readonly head: Sequence;
  readonly acknowledged: Sequence;
}

/** Persistent key-value table behind the second layer of the embedding cache. Losing it costs time, never data. */
export interface EmbeddingCacheTable {
  get(tenant: TenantId, keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  set(tenant: TenantId, entries: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** That a session was shown memories. */
export interface RecallMark {
  /** Whose session it is. Not empty. */
  readonly owner: string;
  /** Unique among the owner's. Not empty. */
  readonly session: string;
  readonly refs: readonly Ref[];
  /** In the caller's time. */
  readonly at: Instant;
  /** How long it has to be remembered, in milliseconds by the ledger's clock. */
  readonly keepMilliseconds: number;
}

/** Asks when memories were last shown. */
export interface RecallMarkQuery {
  readonly owner: string;
  readonly session: string;
  /** `otherSessions`: to any session of the owner but this one. `session`: to this one. */
  readonly shownTo: "otherSessions" | "session";
  readonly refs: readonly Ref[];
}

/** Which memories sessions were shown lately, outside the log. Losing it makes recall repeat itself, never wrong. */
export interface RecallMarkTable {
  /**
   * Notes what sessions were shown; of the same memory in the same session the latest time stays. Also removes the marks
   * of every tenant that need not be remembered any more.
   */
  record(tenant: TenantId, marks: readonly RecallMark[]): Promise<void>;
  /** The latest time for each memory; those without a mark are absent. Marks that are due for removal may still count. */
  lastShown(tenant: TenantId, query: RecallMarkQuery, call?: CallOptions): Promise<ReadonlyMap<Ref, Instant>>;
}

/** What one model call used, and on whose account. */
export interface ModelUsageEntry extends ModelTokens {
  readonly cachedInputTokens: number;
  readonly model: string;
  /** Not empty. Absent: on the tenant's account alone. */
  readonly session?: string | undefined;
}

/** What the calls of one model used, added up. */
export interface ModelAccount extends ModelTokens {
  readonly cachedInputTokens: number;
  readonly model: string;
  readonly calls: number;
}

/**
 * What model calls used, outside the log. Tokens only: what they cost follows from the prices. A sum stays at
 * `Number.MAX_SAFE_INTEGER` once it would go beyond.
 */
export interface ModelUsageTable {
  /** Adds a call to the account of its tenant and, if it has one, of its session: to both or to none. */
  add(tenant: TenantId, entry: ModelUsageEntry): Promise<void>;
  /** The account of a session, or without one of the whole tenant, by model name. Nothing recorded: an empty list. */
  read(tenant: TenantId, session?: string): Promise<readonly ModelAccount[]>;
}

/**
 * The system of record: transactional and durable, the only place that decides what exists, what is current and who may
 * see it. Every commit appends to one ordered log per tenant; everything else is a projection of that log.
 *
 * Reads see every commit acknowledged before them. Refs that do not exist are absent from answers, never an error.
 */
export interface Ledger extends LedgerMaintenance {
  /**
   * Commits a batch: all of it, or nothing. Resolves after it is on disk.
   *
   * @throws LociError `VERSION_CONFLICT` when an expectation does not hold; `REQUEST_ID_REUSED` when the idempotency key
   *   was used with another body; `MEMORY_ERASED` for a memory that was purged, and for an idempotency key whose answer
   *   names one; `DISK_FULL`, `CLOSED`, `CANCELLED` (only when nothing was written)
   */
  commit(batch: CommitBatch, call?: CallOptions): Promise<Committed>;

  /** The log after a sequence, in order, at most `limit` entries. */
  changes(tenant: TenantId, after: Sequence, limit: number, call?: CallOptions): Promise<readonly RecordedChange[]>;
  /** The last sequence; 0 for a tenant without changes. */
  head(tenant: TenantId): Promise<Sequence>;
  /** Called after each commit of this process (and, where the ledger can tell, of others). Returns the way to stop it. */
  onCommitted(listener: (tenant: TenantId, head: Sequence) => void): () => void;

  /** Takes the lease, or `undefined` while another holder has it. */
  lease(tenant: TenantId, projection: string): Promise<ProjectionLease | undefined>;
  /** Tenants whose log is ahead of what the projection has acknowledged. */
  pending(projection: string): Promise<readonly PendingProjection[]>;
  /** Forgets what the projection acknowledged, for every tenant: it was lost and has to be built again. */
  resetProjection(projection: string): Promise<void>;

  /** Current versions, tombstones included. */
  memories(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, StoredMemory>>;
  /** Every version of one memory, oldest first, tombstones included. */
  versions(tenant: TenantId, ref: Ref, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /** Active memories, newest creation first, then by ref. */
  list(tenant: TenantId, query: ListQuery, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /** Active memories of the category with at least one of the tags (compared in lower case), newest first, then by ref. */
  byTags(
    tenant: TenantId,
    query: ListQuery & { readonly tags: NonEmpty<string> },
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /** The tags of active memories of the category in the scopes: in lower case, each once, in no particular order. */
  tags(
    tenant: TenantId,
    query: { readonly scopes: NonEmpty<Scope>; readonly category: Category },
    call?: CallOptions,
  ): Promise<readonly string[]>;
  /**
   * The memories that were active and in one of the scopes once everything recorded by then, and nothing since, had been
   * recorded: of each the version it had, in the order of the log. Usage is today's.
   *
   * @throws LociError `TOO_MANY_VERSIONS` when there are more than `limit`
   */
  asKnownAt(tenant: TenantId, query: KnownAtQuery, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /** Active memories that cite one of the places in one of the sources. */
  atPositions(
    tenant: TenantId,
    scopes: NonEmpty<Scope>,
    places: readonly { readonly sourceId: string; readonly position: number }[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /**
   * Active memories of the scopes whose slot is one of these, in no particular order: of each slot in each scope at most
   * `limitOfEach`, those with the largest refs.
   */
  bySlots(
    tenant: TenantId,
    query: { readonly scopes: NonEmpty<Scope>; readonly slots: readonly string[]; readonly limitOfEach: number },
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /**
   * Active memories of the scope with one of the texts, in no particular order: of each text at most `limitOfEach`, those with
   * the largest refs. Texts are compared in composed form (NFC) and without white space at their ends.
   */
  byTexts(
    tenant: TenantId,
    query: { readonly scope: Scope; readonly texts: readonly string[]; readonly limitOfEach: number },
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /** The highest position cited in a source by any memory of the scope, or `undefined`. */
  lastPosition(tenant: TenantId, scope: Scope, sourceId: string): Promise<number | undefined>;

  /** Embeddings of record; hashes without one are absent. */
  embeddings(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<ContentHash, NonEmpty<Float32Array>>>;
  /** Which of the hashes have an embedding of record. */
  embedded(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlySet<ContentHash>>;
  /** Active memories whose current text has no embedding in the space, oldest change first. */
  withoutEmbedding(tenant: TenantId, space: EmbeddingSpaceId, limit: number): Promise<readonly StoredMemory[]>;
  /** Tenants that have such memories. */
  tenantsWithoutEmbeddings(space: EmbeddingSpaceId): Promise<readonly TenantId[]>;

  /** Adds to the usage counters, outside the log and its versions. Entries for unknown refs are passed over. */
  recordUsage(tenant: TenantId, entries: readonly UsageEntry[]): Promise<void>;

  /**
   * Adds one, outside the log, to how often each of the memories was shown: given by a recall, used or not. A ref may be there
   * several times. Unknown refs are passed over.
   */
  recordShown(tenant: TenantId, refs: readonly Ref[]): Promise<void>;
  /** How often each of the memories was shown; those that never were are absent. */
  shownCounts(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, number>>;

  readonly recallMarks: RecallMarkTable;

  readonly modelUsage: ModelUsageTable;

  readonly embeddingCache: EmbeddingCacheTable;

  /** Finishes what was accepted, then lets go of the files. */
  close(): Promise<void>;
}
