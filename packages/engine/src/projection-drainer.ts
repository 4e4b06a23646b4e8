import { LociError, type Sequence, type TenantId, throwIfAborted } from "@loci/domain";
import type { Ledger, ProjectionLease } from "@loci/ledger";
import type { Projection } from "@loci/store";
import type { IndexChangeMaker } from "./index-changes.ts";
import { backgroundPause, pause } from "./pause.ts";
import { closed } from "./running-calls.ts";
import type { ReportProblem } from "./report-problem.ts";

export interface ProjectionDrainerOptions {
  readonly ledger: Ledger;
  /** What its leases and acknowledgements are kept under in the ledger. */
  readonly name: string;
  readonly projection: Projection;
  readonly makeChanges: IndexChangeMaker;
  /** Whether what was applied is seen at once, so that an index which stands at the beginning is empty. Default false. */
  readonly isImmediate?: boolean | undefined;
  readonly reportProblem: ReportProblem;
}

/** Changes applied at once: bounds memory, and how long an event loop without a worker is held. */
const batchSize = 256;
/** Tenants drained at the same time. */
const maxRunning = 4;
const firstRetryDelay = 50;
const longestRetryDelay = 30_000;
/** How long to wait for another holder of the lease before trying to take it. */
const leaseRetryDelay = 1_000;
/** How long work that needs the lease waits for it. */
const leasePatience = 10_000;
/** When a holder makes sure that it still has its lease, before that may have ended and another have taken over. */
const leaseRenewal = 2_000;
/** An acknowledgement is a write; a burst of small commits shares one. Losing it costs a look at the log, nothing else. */
const acknowledgeDelay = 250;
/** Longest time a waiter trusts notifications alone: an index may become visible later, or be drained elsewhere. */
const waiterPollDelay = 25;

interface TenantDrain {
  /** The drain under way. */
  running: Promise<void> | undefined;
  /** How many wait for it to stand still. It ends for them after its batch, however much there is to apply. */
  waitingForStillness: number;
  lease: ProjectionLease | undefined;
  /** When the lease was taken or renewed, by the process's own clock. */
  renewedAt: number;
  /** Where the index stands. Known only while the lease is held. */
  position: Sequence | undefined;
  acknowledged: Sequence;
  acknowledging: ReturnType<typeof setTimeout> | undefined;
  retry: ReturnType<typeof setTimeout> | undefined;
  failures: number;
  /** Somebody has seen an index that stands at the beginning, though this drain has applied changes to it. */
  mayBeLost: boolean;
}

/**
 * Keeps one projection up with the change log, for every tenant: takes the lease, turns recorded changes into index
 * changes, and applies them in order. Nothing is lost when that fails; it is tried again, later each time.
 */
export class ProjectionDrainer {
  readonly #options: ProjectionDrainerOptions;
  readonly #tenants = new Map<TenantId, TenantDrain>();
  /** Tenants to be looked at, longest waiting first. */
  readonly #waiting = new Set<TenantId>();
  readonly #stop = new AbortController();
  #running = 0;
  #isPaused = false;
  #progress = Promise.withResolvers<void>();

  constructor(options: ProjectionDrainerOptions) {
    this.#options = options;
  }

  /**
   * Says that the tenant's log may be ahead. Costs nothing when it is being drained already.
   *
   * @param seen where the index stood just now. At the beginning, it may have lost what was applied: damaged files are
   *   removed when they are found
   */
  wake(tenant: TenantId, seen?: Sequence): void {
    if (this.#stop.signal.aborted) return;
    if (seen === 0 && this.#options.isImmediate === true) {
      const drain = this.#drainOf(tenant);
      drain.mayBeLost ||= (drain.position ?? 0) > 0;
    }
    this.#waiting.add(tenant);
    this.#startWaiting();
  }

  /** Resolves once the index stands at the sequence or further. Rejects as the signal says. */
  async reach(tenant: TenantId, sequence: Sequence, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const checkpoint = await this.#options.projection.checkpoint(tenant);
      if (checkpoint >= sequence) return;
      throwIfAborted(signal);
      this.wake(tenant, checkpoint);
      await Promise.race([this.#progress.promise, pause(waiterPollDelay, signal)]);
      throwIfAborted(signal);
      throwIfAborted(this.#stop.signal);
    }
  }

  /**
   * Runs work on the index while nothing is applied to it for the tenant.
   *
   * @param work is told where the index stands; its signal aborts with the call's, and when the lease is lost: from then on
   *   another server applies what comes
   * @throws LociError `STORE_UNAVAILABLE` when another server drains the tenant's log and does not stop for 10 s, or has
   *   taken over meanwhile
   */
  async whileStill<Result>(
    tenant: TenantId,
    work: (position: Sequence, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    throwIfAborted(this.#stop.signal);
    const drain = this.#drainOf(tenant);
    drain.waitingForStillness++;
    while (drain.running !== undefined) await drain.running;
    drain.waitingForStillness--;
    const working = this.#holdStill(tenant, drain, work, signal);
    this.#running++;
    drain.running = working
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        drain.running = undefined;
        this.#running--;
        this.#startWaiting();
      });
    return working;
  }

  /**
   * Has the index forget a tenant, and brings everything once more: resolves when it stands where the log stood.
   *
   * @throws LociError `UNSUPPORTED_OPERATION` when the index cannot, and as `whileStill` does
   */
  async beginAgain(tenant: TenantId, signal: AbortSignal | undefined): Promise<void> {
    const { ledger, projection, name } = this.#options;
    await this.whileStill(
      tenant,
      async (_, still) => {
        if (projection.reset === undefined)
          throw new LociError("UNSUPPORTED_OPERATION", {
            message: `${name} cannot begin again for one tenant.`,
            advice: "Move the indexes to another place: that builds them anew.",
          });
        // Noted before it is done: whoever comes after a crash in between looks where the index stands.
        const drain = this.#drainOf(tenant);
        drain.position = 0;
        await drain.lease?.acknowledge(0);
        drain.acknowledged = 0;
        await projection.reset(tenant, { signal: still });
      },
      signal,
    );
    await this.reach(tenant, await ledger.head(tenant), signal);
  }

  async #holdStill<Result>(
    tenant: TenantId,
    drain: TenantDrain,
    work: (position: Sequence, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    // One that has nothing to apply lets its lease end.
    const end = performance.now() + leasePatience;
    while (!(await this.#holdLease(tenant, drain)) && performance.now() < end) {
      await backgroundPause(leaseRetryDelay, signal);
      throwIfAborted(signal);
      throwIfAborted(this.#stop.signal);
    }
    const { lease, position } = drain;
    if (lease === undefined || position === undefined)
      throw takenBy(`Another server is bringing ${this.#options.name} up to date.`);
    const lost = new AbortController();
    const renew = async (): Promise<void> => {
      await this.#renew(drain, lease, drain.position ?? position);
      if (drain.lease === lease) return;
      lost.abort(takenBy(`Another server has begun to bring ${this.#options.name} up to date.`));
    };
    // When one fails the next may succeed; else the lease ends, and that one says so.
    const renewing = setInterval(() => void renew().catch(() => undefined), leaseRenewal).unref();
    try {
      const result = await work(position, signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]));
      throwIfAborted(lost.signal);
      return result;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Stops between two batches, until `resume`. For tests that look at an index which is behind. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    for (const drain of this.#tenants.values()) await drain.running;
  }

  resume(): void {
    this.#isPaused = false;
    this.#startWaiting();
  }

  /** Stops the batches under way, acknowledges what was applied and gives the leases back. */
  async close(): Promise<void> {
    this.#stop.abort(closed());
    await Promise.all([...this.#tenants].map(([tenant, drain]) => this.#closeTenant(tenant, drain)));
    this.#tenants.clear();
  }

  #startWaiting(): void {
    for (const tenant of this.#waiting) {
      if (this.#isPaused || this.#stop.signal.aborted || this.#running >= maxRunning) return;
      const drain = this.#drainOf(tenant);
      // A running drain looks at the waiting set itself before it ends.
      if (drain.running !== undefined || drain.waitingForStillness > 0) continue;
      clearTimeout(drain.retry);
      this.#running++;
      drain.running = this.#run(tenant, drain).finally(() => {
        drain.running = undefined;
        this.#running--;
        this.#startWaiting();
      });
    }
  }

  #drainOf(tenant: TenantId): TenantDrain {
    let drain = this.#tenants.get(tenant);
    if (drain === undefined) {
      drain = {
        running: undefined,
        waitingForStillness: 0,
        lease: undefined,
        renewedAt: 0,
        position: undefined,
        acknowledged: -1,
        acknowledging: undefined,
        retry: undefined,
        failures: 0,
        mayBeLost: false,
      };
      this.#tenants.set(tenant, drain);
    }
    return drain;
  }

  async #run(tenant: TenantId, drain: TenantDrain): Promise<void> {
    try {
      while (drain.waitingForStillness === 0 && this.#waiting.delete(tenant)) {
        for (;;) {
          if (!(await this.#holdLease(tenant, drain))) return this.#retryIn(leaseRetryDelay, tenant, drain);
          if (!(await this.#applyBatch(tenant, drain))) break;
          if (!this.#isPaused && !this.#stop.signal.aborted && drain.waitingForStillness === 0) continue;
          this.#waiting.add(tenant);
          return undefined;
        }
      }
      drain.failures = 0;
      this.#acknowledgeSoon(tenant, drain);
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      this.#options.reportProblem(error, `bringing ${this.#options.name} up to date`);
      // Where the index stands is not known after a failure.
      drain.position = undefined;
      const delay = Math.min(firstRetryDelay * 2 ** drain.failures++, longestRetryDelay);
      return this.#retryIn(delay, tenant, drain);
    }
  }

  /** Takes the lease, or renews it in time. False while another holder has it. */
  async #holdLease(tenant: TenantId, drain: TenantDrain): Promise<boolean> {
    const { ledger, projection, name } = this.#options;
    if (drain.lease !== undefined && performance.now() - drain.renewedAt >= leaseRenewal) {
      drain.position ??= await projection.checkpoint(tenant);
      await this.#renew(drain, drain.lease, drain.position);
    }
    if (drain.lease === undefined) {
      // Counted from before it was asked for: it cannot have begun earlier.
      const asked = performance.now();
      drain.lease = await ledger.lease(tenant, name);
      drain.renewedAt = asked;
    }
    if (drain.lease === undefined) return false;
    drain.position ??= await projection.checkpoint(tenant);
    return true;
  }

  /** False when there was nothing to apply. */
  async #applyBatch(tenant: TenantId, drain: TenantDrain): Promise<boolean> {
    const { ledger, projection, makeChanges } = this.#options;
    const call = { signal: this.#stop.signal };
    if (drain.mayBeLost) {
      drain.mayBeLost = false;
      drain.position = await projection.checkpoint(tenant);
    }
    const changes = await ledger.changes(tenant, drain.position ?? 0, batchSize, call);
    const last = changes.at(-1);
    if (last === undefined) {
      if ((drain.position ?? 0) > (await ledger.head(tenant))) throw aheadOfLedger(this.#options.name, tenant);
      return false;
    }
    await projection.apply(tenant, await makeChanges(tenant, changes, call), last.sequence, call);
    drain.position = last.sequence;
    this.#progress.resolve();
    this.#progress = Promise.withResolvers<void>();
    return true;
  }

  #retryIn(delay: number, tenant: TenantId, drain: TenantDrain): void {
    clearTimeout(drain.retry);
    drain.retry = setTimeout(() => this.wake(tenant), delay).unref();
  }

  #acknowledgeSoon(tenant: TenantId, drain: TenantDrain): void {
    if (drain.acknowledging !== undefined || drain.position === drain.acknowledged) return;
    drain.acknowledging = setTimeout(() => {
      drain.acknowledging = undefined;
      this.#acknowledge(drain).catch((error: unknown) => {
        this.#options.reportProblem(error, `acknowledging ${this.#options.name}`);
        this.#retryIn(longestRetryDelay, tenant, drain);
      });
    }, acknowledgeDelay).unref();
  }

  async #acknowledge(drain: TenantDrain): Promise<void> {
    const { lease, position } = drain;
    if (lease === undefined || position === undefined || position === drain.acknowledged) return;
    await this.#renew(drain, lease, position);
  }

  async #renew(drain: TenantDrain, lease: ProjectionLease, position: Sequence): Promise<void> {
    const asked = performance.now();
    if (await lease.acknowledge(position)) {
      drain.acknowledged = position;
      drain.renewedAt = asked;
      return;
    }
    // Another holder has taken over. What it applied makes our place in the log useless, never the index wrong.
    drain.lease = undefined;
    drain.position = undefined;
  }

  async #closeTenant(tenant: TenantId, drain: TenantDrain): Promise<void> {
    clearTimeout(drain.retry);
    clearTimeout(drain.acknowledging);
    await drain.running;
    try {
      await this.#acknowledge(drain);
      await drain.lease?.release();
    } catch (error) {
      this.#options.reportProblem(error, `releasing ${this.#options.name} of ${tenant}`);
    }
  }
}

function takenBy(message: string): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message,
    advice: "Try again on that server, or when it has stopped.",
  });
}

/** Nothing that comes from now on would be found: the index takes it for what it has seen already. */
function aheadOfLedger(name: string, tenant: TenantId): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `The ledger was put back while it was in use: ${name} has seen changes of ${tenant} that it does not have.`,
    resource: name,
    advice: "Start Loci again: indexes that are ahead of their ledger are then built anew.",
  });
}
