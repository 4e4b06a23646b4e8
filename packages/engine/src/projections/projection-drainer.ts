import { LociError, type Sequence, type TenantId, throwIfAborted } from "@loci/domain";
import type { Family, Ledger } from "@loci/ledger";
import { type DrainFailures, longestRetryDelay } from "./drain-failures.ts";
import { holdStill, leaseRetryDelay, type StillWork } from "./hold-still.ts";
import type { LogProjection } from "./log-projection.ts";
import { TenantDrain } from "./tenant-drain.ts";
import { Notifier } from "../calls/notifier.ts";
import { backgroundPause, pause } from "../calls/pause.ts";
import { closed } from "../calls/running-calls.ts";
import type { ReportProblem } from "../calls/report-problem.ts";

export interface ProjectionDrainerOptions {
  readonly ledger: Ledger;
  readonly projection: LogProjection;
  readonly reportProblem: ReportProblem;
}

/** Tenants drained at the same time. */
const maxRunning = 4;
/** Tenants whose place in the log is remembered, and whose lease is kept, while there is nothing to do for them. */
const maxIdle = 256;
/** Longest time a waiter trusts notifications alone: an index may become visible later, or be drained elsewhere. */
const waiterPollDelay = 25;

/** What is known where a drainer is woken. */
export interface WakeReason {
  /**
   * Where the index stood just now. At the beginning, it may have lost what was applied: damaged files are removed when they
   * are found.
   */
  readonly seen?: Sequence | undefined;
  /** A sequence that the log has reached. */
  readonly head?: Sequence | undefined;
}

/**
 * Keeps one projection up with the change log, for every tenant: takes the lease, reads what concerns it, and has it applied
 * in order. Nothing is lost when that fails; it is tried again, later each time.
 */
export class ProjectionDrainer {
  readonly #options: ProjectionDrainerOptions;
  /** Those with something to do, and those that had something lately, the longest ago first. */
  readonly #tenants = new Map<TenantId, TenantDrain>();
  /** Leases that are being given back. */
  readonly #leaving = new Map<TenantId, Promise<void>>();
  /** Tenants to be looked at, longest waiting first. */
  readonly #waiting = new Set<TenantId>();
  readonly #stop = new AbortController();
  #running = 0;
  #isPaused = false;
  /** Some batch was applied. */
  readonly #progress = new Notifier();

  readonly #stopListening: (() => void) | undefined;

  constructor(options: ProjectionDrainerOptions) {
    this.#options = options;
    const { ledger, projection } = options;
    this.#stopListening = ledger.onLeaseAskedFor?.((tenant, name) => {
      if (name === projection.name) this.#giveBackAsked(tenant);
    });
  }

  /** What it reads of the log. */
  get families(): readonly Family[] {
    return this.#options.projection.families;
  }

  /**
   * What is committed and not applied, of the tenants that this process has something to apply for. Those that another one
   * brings up to date are left to it; those that fail count, also when it is not known how far behind they are.
   */
  lag(): { readonly changes: number; readonly tenants: number } {
    let [changes, tenants] = [0, 0];
    for (const [tenant, drain] of this.#tenants) {
      const behind = drain.changesBehind(this.#waiting.has(tenant));
      changes += behind;
      if (behind > 0 || drain.failures.areGoingOn) tenants++;
    }
    return { changes, tenants };
  }

  /** How fast this process has brought the projection forward for a tenant lately, and what its last try failed with. */
  progressOf(tenant: TenantId): {
    readonly ratePerSecond: number;
    readonly failure: DrainFailures["current"];
  } {
    const drain = this.#tenants.get(tenant);
    return { ratePerSecond: drain?.applied.perSecond ?? 0, failure: drain?.failures.current };
  }

  /** Says that the tenant's log may be ahead. Costs nothing when it is being drained already. */
  wake(tenant: TenantId, { seen, head = 0 }: WakeReason = {}): void {
    if (this.#stop.signal.aborted) return;
    if (head > 0) this.#drainOf(tenant).learn(head);
    if (seen === 0 && this.#options.projection.isImmediate === true) this.#drainOf(tenant).noteSeenEmpty();
    this.#waiting.add(tenant);
    this.#startWaiting();
  }

  /** Resolves when few tenants wait to be looked at, or the signal aborts: what was left over does not crowd out others. */
  async hasRoom(signal: AbortSignal): Promise<void> {
    while (this.#waiting.size >= maxIdle && !signal.aborted)
      await backgroundPause(waiterPollDelay, signal, this.#progress);
  }

  /**
   * Says that something was committed: it is applied a moment later, with what else is committed until then.
   *
   * @param head a sequence that the log has reached
   */
  wakeSoon(tenant: TenantId, head: Sequence): void {
    if (this.#stop.signal.aborted) return;
    const drain = this.#drainOf(tenant);
    drain.learn(head);
    drain.beginSoon(() => this.wake(tenant));
  }

  /**
   * Resolves once the index has what there is for it up to the sequence. Rejects as the signal says.
   *
   * @throws LociError when nothing but failures have come of it for 15 s, with the reason of the last
   */
  async reach(tenant: TenantId, sequence: Sequence, signal: AbortSignal | undefined): Promise<void> {
    let wanted: Sequence | undefined;
    const begun = performance.now();
    for (;;) {
      const checkpoint = await this.#options.projection.checkpoint(tenant);
      if (checkpoint >= sequence) return;
      // Nobody moves it over entries of other families for their own sake.
      wanted ??= Math.min(sequence, await this.#options.ledger.head(tenant, { families: this.families }));
      if (checkpoint >= wanted) return;
      throwIfAborted(signal);
      const failures = this.#tenants.get(tenant)?.failures;
      failures?.throwIfWaitedTooLong(begun);
      if (failures?.wereJustNow !== true) this.wake(tenant, { seen: checkpoint });
      await pause(waiterPollDelay, signal, this.#progress);
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
    work: StillWork<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    throwIfAborted(this.#stop.signal);
    const drain = this.#drainOf(tenant);
    drain.waitingForStillness++;
    while (drain.running !== undefined) await drain.running;
    drain.waitingForStillness--;
    const working = this.#holdStill(drain, work, signal);
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
    const { ledger, projection } = this.#options;
    const { name } = projection;
    await this.whileStill(
      tenant,
      async (_, still) => {
        if (projection.reset === undefined)
          throw new LociError("UNSUPPORTED_OPERATION", {
            message: `${name} cannot begin again for one tenant.`,
            advice: "Move the indexes to another place: that builds them anew.",
          });
        await this.#drainOf(tenant).lease.beginAgain();
        await projection.reset(tenant, { signal: still });
      },
      signal,
    );
    await this.reach(tenant, await ledger.head(tenant), signal);
  }

  async #holdStill<Result>(
    drain: TenantDrain,
    work: StillWork<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    await this.#leaving.get(drain.tenant);
    return holdStill(drain, this.#options, work, {
      call: signal,
      stop: this.#stop.signal,
      onHeld: () => {
        // It waited for the lease: it looks as soon as the work is done, and is idle then for whoever asks next.
        if (drain.cancelRetry()) this.#waiting.add(drain.tenant);
      },
    });
  }

  /** Applies what there is, and keeps nothing of the tenant any more until it is woken for it again. */
  async leave(tenant: TenantId): Promise<void> {
    const drain = this.#tenants.get(tenant);
    if (drain === undefined) return;
    // What was running may have left more to apply.
    await this.#giveBack(drain, () => this.#waiting.delete(tenant));
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
    this.#stopListening?.();
    this.#stop.abort(closed());
    await Promise.all([...this.#tenants.values()].map((drain) => this.#closeTenant(drain)));
    this.#tenants.clear();
    await Promise.all(this.#leaving.values());
  }

  #startWaiting(): void {
    for (const tenant of this.#waiting) {
      if (this.#isPaused || this.#stop.signal.aborted || this.#running >= maxRunning) return;
      const drain = this.#drainOf(tenant);
      // A running drain looks at the waiting set itself before it ends.
      if (!drain.mayStart) continue;
      drain.cancelRetry();
      this.#running++;
      drain.running = this.#run(drain).finally(() => {
        drain.running = undefined;
        this.#running--;
        this.#startWaiting();
        this.#leaveIdle();
      });
    }
  }

  /** Gives back what is kept for tenants that nothing was done for in the longest time. */
  #leaveIdle(): void {
    for (const drain of this.#tenants.values()) {
      if (this.#tenants.size <= maxIdle || this.#stop.signal.aborted) return;
      if (!this.#hasWork(drain)) void this.#giveBack(drain);
    }
  }

  /** Another server asks for the lease. What has something to apply, as where there is never nothing to do, hands it over after a batch. */
  #giveBackAsked(tenant: TenantId): void {
    const drain = this.#tenants.get(tenant);
    if (drain === undefined) return;
    if (this.#hasWork(drain)) drain.noteAskedFor();
    else void this.#giveBack(drain);
  }

  async #giveBack(drain: TenantDrain, onGivenBack?: () => void): Promise<void> {
    const { tenant } = drain;
    this.#tenants.delete(tenant);
    const leaving = this.#closeTenant(drain).finally(() => {
      onGivenBack?.();
      this.#leaving.delete(tenant);
    });
    this.#leaving.set(tenant, leaving);
    await leaving;
  }

  #hasWork(drain: TenantDrain): boolean {
    return drain.isBusy || this.#waiting.has(drain.tenant);
  }

  #drainOf(tenant: TenantId): TenantDrain {
    let drain = this.#tenants.get(tenant);
    if (drain === undefined) {
      drain = new TenantDrain({ ...this.#options, tenant });
      this.#tenants.set(tenant, drain);
    }
    return drain;
  }

  async #run(drain: TenantDrain): Promise<void> {
    const { tenant } = drain;
    // The lease that was kept before would be somebody else's.
    await this.#leaving.get(tenant);
    // The most recently used is the last to be left.
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, drain);
    try {
      while (drain.waitingForStillness === 0 && !drain.isAskedFor && this.#waiting.delete(tenant)) {
        for (;;) {
          if (!(await drain.lease.hold())) return this.#retryIn(leaseRetryDelay, drain);
          drain.seen = drain.lease.position;
          const outcome = await drain.applyBatch(this.#stop.signal);
          if (outcome !== "nothing") this.#progress.notify();
          if (outcome !== "more" || drain.isAskedFor) break;
          if (!this.#isPaused && !this.#stop.signal.aborted && drain.waitingForStillness === 0) continue;
          this.#waiting.add(tenant);
          return undefined;
        }
      }
      drain.failures.end();
      if (drain.isAskedFor) await drain.handOver(() => this.wake(tenant));
      else this.#acknowledgeSoon(drain);
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      this.#options.reportProblem(error, `bringing ${this.#options.projection.name} up to date`);
      drain.lease.giveBack();
      return this.#retryIn(drain.failures.add(error), drain);
    }
  }

  #retryIn(delay: number, drain: TenantDrain): void {
    drain.retryIn(delay, () => this.wake(drain.tenant));
  }

  #acknowledgeSoon({ lease, tenant }: TenantDrain): void {
    lease.acknowledgeSoon((error) => {
      this.#options.reportProblem(error, `acknowledging ${this.#options.projection.name}`);
      this.#retryIn(longestRetryDelay, this.#drainOf(tenant));
    });
  }

  async #closeTenant(drain: TenantDrain): Promise<void> {
    try {
      await drain.close();
    } catch (error) {
      this.#options.reportProblem(error, `releasing ${this.#options.projection.name} of ${drain.tenant}`);
    }
  }
}
