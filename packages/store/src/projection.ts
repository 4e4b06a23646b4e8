import type { CallOptions, Ref, Sequence, TenantId, Version } from "@loci/domain";
import type { IndexChange } from "./index-change.ts";

/** How an index is maintained. */
export interface IndexMaintenanceOptions extends CallOptions {
  /** Also removes from its own files every byte of rows that were deleted before. Default false. */
  readonly purge?: boolean | undefined;
}

/** How changes are applied. */
export interface ApplyOptions extends CallOptions {
  /**
   * Where the index has to stand at least: the changes are all that there is for it between here and `through`. One that
   * stands before it has lost something, and refuses them: it is to be asked where it stands. Default: it is not checked.
   */
  readonly after?: Sequence | undefined;
}

/** Something made from the change log that remembers how far it has come. */
export interface Projection {
  /**
   * Applies changes in order, all of them or none, and then stands at `through`. When it stands further already the call
   * is ignored: it comes from a drainer that lost its lease, and what it brings has been applied by another.
   */
  apply(tenant: TenantId, changes: readonly IndexChange[], through: Sequence, call?: ApplyOptions): Promise<void>;
  /**
   * Everything up to there is applied, visible to search, and there when the process was killed (if the index is durable at
   * all). When the power failed an index may stand further back, at a place where it once stood, and an index that keeps
   * little in memory alone may stand at 0 again at any time: whoever applies asks anew, and brings what is missing. 0 at
   * first.
   */
  checkpoint(tenant: TenantId): Promise<Sequence>;
  /**
   * Those of the tenants that it may have anything of: what was never brought, or is lost at every start, need not be asked
   * for one by one. Absent: it cannot tell.
   */
  heldAmong?(tenants: readonly TenantId[]): Promise<readonly TenantId[]>;
  /** Compacts, merges, builds what makes search fast. May do nothing. Runs beside every other call, itself too. */
  maintain(options?: IndexMaintenanceOptions): Promise<void>;
  /**
   * Begins again for a tenant: removes all its rows, also deleted ones' versions and the checkpoint, so that it stands at 0
   * and a drainer brings everything once more. Called while nothing is applied for the tenant, to mend what changes cannot
   * mend, such as a row that is there twice. Absent where an index can only be built anew for all tenants.
   */
  reset?(tenant: TenantId, call?: CallOptions): Promise<void>;
  /** Every live row, in no particular order. For verification. */
  refs(tenant: TenantId): AsyncIterable<{ readonly ref: Ref; readonly version: Version }>;
}
