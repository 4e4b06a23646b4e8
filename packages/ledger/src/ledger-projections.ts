import type { Sequence, TenantId } from "@loci/domain";
import type { FamilyChoice } from "./log-entry.ts";

/**
 * The right to drain one tenant's log into one projection. Ends by itself when its holder stops renewing it, 5 s after the
 * last time at the earliest.
 */
export interface ProjectionLease {
  /** Notes how far the projection has come, and renews the lease. False when another holder has taken over. */
  acknowledge(through: Sequence): Promise<boolean>;
  release(): Promise<void>;
}

/** Told of whose lease on what is asked for. */
export type LeaseListener = (tenant: TenantId, projection: string) => void;

/** A tenant whose log is ahead of a projection. */
export interface PendingProjection {
  readonly tenant: TenantId;
  /** The last sequence of the families that were asked for. */
  readonly head: Sequence;
  readonly acknowledged: Sequence;
}

/** Who follows the log into what, and how far. */
export interface LedgerProjections {
  /** Takes the lease, or `undefined` while another holder has it. */
  lease(tenant: TenantId, projection: string): Promise<ProjectionLease | undefined>;
  /**
   * Asks the holder of the lease, on whatever server, to give it back once it has nothing to apply. Nobody promises that it hears
   * or does so: then the lease ends by itself. Only of ledgers that several servers share.
   */
  askForLease?(tenant: TenantId, projection: string): Promise<void>;
  /** Called when somebody asks for a lease, here or on another server. Returns the way to stop it. */
  onLeaseAskedFor?(listener: LeaseListener): () => void;
  /** Tenants whose log, or what of it belongs to some families, is ahead of what the projection has acknowledged. */
  pending(projection: string, choice?: FamilyChoice): Promise<readonly PendingProjection[]>;
  /** Forgets what the projection acknowledged, for every tenant: it was lost and has to be built again. */
  resetProjection(projection: string): Promise<void>;
}
