import type { CallOptions, Sequence, TenantId } from "@loci/domain";
import type { CheckedEntries } from "./checked-entries.ts";
import type { CommitListener, FamilyChoice, LogEntry, LogReadOptions } from "./log-entry.ts";

/** Which tenants are listed. */
export interface TenantsQuery extends CallOptions {
  /** Those behind this one, by name. Default: from the first on. */
  readonly after?: TenantId | undefined;
  /** Most of them. Default: all. */
  readonly limit?: number | undefined;
}

/** What happened, in order, in each tenant. */
export interface LedgerLog {
  /**
   * The log after a sequence, in order, at most `limit` entries: of some families without reading those of others. Kinds that
   * this version does not know are given, too.
   */
  changes(tenant: TenantId, after: Sequence, limit: number, options?: LogReadOptions): Promise<readonly LogEntry[]>;
  /**
   * Reads the log after a sequence, at most `limit` entries, to find those that do not hold what was written. What is damaged is
   * told and never an error, as long as the database itself can be read.
   *
   * @throws LociError `DATA_DIRECTORY_CORRUPT` when the database cannot be read
   */
  checkEntries(tenant: TenantId, after: Sequence, limit: number, call?: CallOptions): Promise<CheckedEntries>;
  /** The last sequence, of some families or of all; 0 where there is none. */
  head(tenant: TenantId, choice?: FamilyChoice): Promise<Sequence>;
  /** Called after each commit of this process (and, where the ledger can tell, of others). Returns the way to stop it. */
  onCommitted(listener: CommitListener): () => void;
  /** Every tenant that has a change, by name in code units. */
  tenants(query?: TenantsQuery): Promise<readonly TenantId[]>;
}
