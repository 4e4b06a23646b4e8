import type { CallOptions, Instant, NonEmpty, Ref, Scope, Sequence, TenantId } from "@loci/domain";

/** Whose content goes for good. `everything`: also what the tenant has beside its memories, such as usage accounts. */
export type PurgeSelection =
  | { readonly refs: readonly Ref[] }
  | { readonly scopes: NonEmpty<Scope> }
  | { readonly everything: true };

/** What a purge did. */
export interface Purged {
  /** Memories that had not been purged before. */
  readonly memories: number;
  /** Resources of other families, likewise. */
  readonly resources: number;
  /** The tenant's last sequence after it. Projections that stand there hold nothing of what was purged. */
  readonly head: Sequence;
}

/** A stretch of what was purged, by ref. */
export interface PurgedQuery {
  /** The last ref of the stretch before. */
  readonly after?: Ref | undefined;
  readonly limit: number;
  /** Only those of them that were purged. Default: all that was. */
  readonly refs?: readonly Ref[] | undefined;
}

/** That a memory was purged: all that is left of it. */
export interface PurgedRef {
  readonly ref: Ref;
  /** By the ledger's clock. */
  readonly purgedAt: Instant;
}

/** What maintaining the ledger came to. */
export interface LedgerUpkeep {
  /** Bytes given back to the file system; 0 where the ledger cannot tell. */
  readonly reclaimedBytes: number;
  /** Where bytes of what was purged may still be, as far as the ledger can know: one sentence each. Empty: nowhere. */
  readonly unproven: readonly string[];
}

/** What removes for good and keeps a ledger in order: used by jobs, never by recall. */
export interface LedgerMaintenance {
  /**
   * Removes memories, and resources of other families, for good: every version, its payload in the log, embeddings no other version has, the tenant's
   * embedding cache, usage, recall marks, the receipts that name one of them or a scope of the selection, and the answers kept for repeated requests, of which only is kept that they were
   * given: repeating one is refused with `MEMORY_ERASED` and stores nothing. Then no read gives anything of them,
   * and the database has no byte of their text; what its files still hold, `maintain` overwrites. Refs that do not exist
   * are passed over. A purge that was interrupted is completed by the next one.
   *
   * Of a resource its state goes, and every payload; its entries become a `resourcePurged` of its family without content.
   *
   * The log stays without gaps: an entry of a purged memory becomes a `memoryRemoved` without content, recorded when it
   * was, and a last one is appended for each memory that was not a tombstone, so that every projection drops the row
   * wherever it stands. What is left is the ref: from then on a commit that names it is refused.
   */
  purge(tenant: TenantId, selection: PurgeSelection, call?: CallOptions): Promise<Purged>;
  /** What was purged, by ref. Fewer than `limit` only at the end. */
  purged(tenant: TenantId, query: PurgedQuery, call?: CallOptions): Promise<readonly PurgedRef[]>;
  /**
   * Gives back space and keeps reading fast. With `scrub` it also overwrites what was deleted before the call wherever
   * the ledger's own files may still hold it, which can take as long as copying them.
   */
  maintain(options: { readonly scrub: boolean }, call?: CallOptions): Promise<LedgerUpkeep>;
  /** Bytes that the ledger's tables and indexes take on disk, of every tenant. */
  size(call?: CallOptions): Promise<number>;
}
