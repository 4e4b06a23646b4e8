import type { CallOptions, Sequence, TenantId } from "@loci/domain";
import type { Family, LogEntry } from "@loci/ledger";
import type { ApplyOptions } from "@loci/store";
import type { MaintenanceCall } from "../calls/maintenance-call.ts";
import type { Comparison, Difference, LogPosition } from "./compare-index.ts";

/**
 * What is kept up with the log: an index, a mirror in files, a feed. Being listed is all that it takes to be started, paused,
 * waited for, verified, begun again and closed with the others.
 */
export interface LogProjection {
  /** What its leases and acknowledgements are kept under in the ledger. */
  readonly name: string;
  /** What of the log concerns it. Entries of other families are not read for it. */
  readonly families: readonly Family[];
  /** False when everything is gone once it is closed, so that it is built anew at every start. */
  readonly isDurable: boolean;
  /** Whether what was applied is seen at once, so that one which stands at the beginning is empty. Default false. */
  readonly isImmediate?: boolean | undefined;
  /**
   * Takes in a stretch of the log, in order, and stands at `through` afterwards: all of it, or nothing. May be told again of
   * what it has applied; kinds it does not know mean nothing to it.
   */
  apply(tenant: TenantId, entries: readonly LogEntry[], through: Sequence, call?: ApplyOptions): Promise<void>;
  /** Where it stands: durable, and visible to its readers. 0 at the beginning, and when it has lost what it had. */
  checkpoint(tenant: TenantId): Promise<Sequence>;
  /** Rejects while what this process would write does not belong there: another applies the log. Absent: it always does. */
  readonly checkContents?: (() => Promise<void>) | undefined;
  /** Forgets a tenant and stands at the beginning. Absent: it cannot for one tenant. */
  readonly reset?: ((tenant: TenantId, call?: CallOptions) => Promise<void>) | undefined;
  /** Absent: there is nothing to compare it by. */
  readonly verification?: Verification | undefined;
}

/** How a projection is compared with the ledger, and mended. Nothing is applied to it meanwhile. */
export interface Verification {
  /** What reports call it. */
  readonly name: string;
  compare(place: LogPosition, call: MaintenanceCall): Promise<Comparison>;
  /** Mends what changes can mend. */
  repair(place: LogPosition, differences: readonly Difference[], call: MaintenanceCall): Promise<void>;
}
