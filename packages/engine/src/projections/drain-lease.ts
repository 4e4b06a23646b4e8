import type { Sequence, TenantId } from "@loci/domain";
import type { Ledger, ProjectionLease } from "@loci/ledger";
import type { LogProjection } from "./log-projection.ts";

/** When a holder makes sure that it still has its lease, before that may have ended and another have taken over. */
export const leaseRenewal = 2_000;
/** An acknowledgement is a write; a burst of small commits shares one. Losing it costs a look at the log, nothing else. */
const acknowledgeDelay = 250;

/** Whose lease it is, and on what. */
export interface DrainLeaseOptions {
  readonly ledger: Ledger;
  readonly projection: Pick<LogProjection, "name" | "checkpoint">;
  readonly tenant: TenantId;
}

/** The right to apply one tenant's log to a projection, and where that stands while the right is held. */
export class DrainLease {
  readonly #options: DrainLeaseOptions;
  #lease: ProjectionLease | undefined;
  /** When it was taken or renewed, by the process's own clock. */
  #renewedAt = 0;
  #position: Sequence | undefined;
  #acknowledged: Sequence = -1;
  #acknowledging: ReturnType<typeof setTimeout> | undefined;
  #givingBack: Promise<void> = Promise.resolve();

  constructor(options: DrainLeaseOptions) {
    this.#options = options;
  }

  /** Where the index stands; `undefined` without the lease, or when that is not known. */
  get position(): Sequence | undefined {
    return this.#lease === undefined ? undefined : this.#position;
  }

  /** Says that changes were applied. */
  advance(position: Sequence): void {
    this.#position = position;
  }

  /** The index is asked where it stands before anything else is applied. */
  forgetPosition(): void {
    this.#position = undefined;
  }

  /** Takes the lease, or renews it in time. False while another holder has it. */
  async hold(): Promise<boolean> {
    const { ledger, projection, tenant } = this.#options;
    if (this.#lease !== undefined && performance.now() - this.#renewedAt >= leaseRenewal) await this.renew();
    if (this.#lease === undefined) {
      // Counted from before it was asked for: it cannot have begun earlier.
      const asked = performance.now();
      this.#lease = await ledger.lease(tenant, projection.name);
      this.#renewedAt = asked;
      // Another holder may have applied changes meanwhile.
      this.#position = undefined;
    }
    if (this.#lease === undefined) return false;
    this.#position ??= await projection.checkpoint(tenant);
    return true;
  }

  /** @returns whether it is still held, with the same right as before */
  async renew(): Promise<boolean> {
    const lease = this.#lease;
    if (lease === undefined) return false;
    const { projection, tenant } = this.#options;
    this.#position ??= await projection.checkpoint(tenant);
    await this.#acknowledge(lease, this.#position);
    return this.#lease === lease;
  }

  /** Notes in the ledger that the index is about to begin again: whoever comes after a crash looks where it stands. */
  async beginAgain(): Promise<void> {
    this.#position = 0;
    await this.#lease?.acknowledge(0);
    this.#acknowledged = 0;
  }

  /** @param onFailure called when it could not be written, which is no harm by itself */
  acknowledgeSoon(onFailure: (error: unknown) => void): void {
    if (this.#acknowledging !== undefined || this.#position === this.#acknowledged) return;
    this.#acknowledging = setTimeout(() => {
      this.#acknowledging = undefined;
      this.#acknowledgePosition().catch(onFailure);
    }, acknowledgeDelay).unref();
  }

  /**
   * Lets another holder try what has failed here, as a server of a newer version may succeed at. Nothing is acknowledged: where the
   * index stands is not known. What cannot be given back ends by itself.
   */
  giveBack(): void {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#position = undefined;
    if (lease === undefined) return;
    this.#givingBack = this.#givingBack.then(() => lease.release()).catch(() => undefined);
  }

  /** Lets another holder who has asked have its turn, between two batches. */
  async handOver(): Promise<void> {
    await this.#acknowledgePosition();
    this.giveBack();
    await this.#givingBack;
  }

  /** Acknowledges what was applied and gives the lease back. */
  async close(): Promise<void> {
    clearTimeout(this.#acknowledging);
    await this.#acknowledgePosition();
    await this.#lease?.release();
    await this.#givingBack;
  }

  async #acknowledgePosition(): Promise<void> {
    const [lease, position] = [this.#lease, this.#position];
    if (lease === undefined || position === undefined || position === this.#acknowledged) return;
    await this.#acknowledge(lease, position);
  }

  async #acknowledge(lease: ProjectionLease, position: Sequence): Promise<void> {
    const asked = performance.now();
    if (await lease.acknowledge(position)) {
      this.#acknowledged = position;
      this.#renewedAt = asked;
      return;
    }
    // Another holder has taken over. What it applied makes our place in the log useless, never the index wrong.
    this.#lease = undefined;
    this.#position = undefined;
  }
}
