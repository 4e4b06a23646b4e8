import type { CallOptions, Instant, ModelTokens, Ref, TenantId } from "@loci/domain";

/** One use of a memory. */
export interface UsageEntry {
  readonly ref: Ref;
  readonly at: Instant;
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

/** What was used and shown, outside the log. */
export interface LedgerUsage {
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
}
