import { LociError, type Sequence, type TenantId, throwIfAborted } from "@loci/domain";
import { type Family, type Ledger, type LogEntry, memoryChangeOf } from "@loci/ledger";
import { AppliedRate } from "./applied-rate.ts";
import { DrainFailures, longestRetryDelay } from "./drain-failures.ts";
import { DrainLease, leaseRenewal } from "./drain-lease.ts";
import type { LogProjection } from "./log-projection.ts";
import { backgroundPause, pause } from "../calls/pause.ts";
import { closed } from "../calls/running-calls.ts";
import type { ReportProblem } from "../calls/report-problem.ts";

export interface ProjectionDrainerOptions {
  readonly ledger: Ledger;
  readonly projection: LogProjection;
  readonly reportProblem: ReportProblem;
}

/** Changes applied at once: bounds memory, and how long an event loop without a worker is held. */
const batchSize = 256;
/** UTF-16 units of text after which a batch ends: what is made of more takes long to send to the thread of an index. */
const batchUnits = 131_072;
/** Tenants drained at the same time. */
const maxRunning = 4;
/** Tenants whose place in the log is remembered, and whose lease is kept, while there is nothing to do for them. */
const maxIdle = 256;
/** How long to wait for another holder of the lease before trying to take it. */
const leaseRetryDelay = 1_000;
/** The same for the first time where the holder can be asked to give it back; then longer each time. */
const firstAskedDelay = 25;
/** The longest between two times that it is asked. */
const longestAskedDelay = 200;
/** How long a holder that was asked leaves the lease to who has asked: longer than the one above. */
const turnOfOthers = 400;
/** How long work that needs the lease waits for it. */
const leasePatience = 10_000;
/** Commits of this time are applied together. A recall meanwhile reads them from the log, and has them applied at once. */
const gatherTime = 20;
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

interface TenantDrain {
  /** The drain under way. */
  running: Promise<void> | undefined;
  /** How many wait for it to stand still. It ends for them after its batch, however much there is to apply. */
  waitingForStillness: number;
  readonly lease: DrainLease;
  /** A sequence that the log has reached. */
  known: Sequence;
  /** Where the index stood when this process applied something to it, or was about to. */
  seen: Sequence | undefined;
  gathering: ReturnType<typeof setTimeout> | undefined;
  retry: ReturnType<typeof setTimeout> | undefined;
  readonly failures: DrainFailures;
  /** Another server needs the lease. */
  isAskedFor: boolean;
  /** Until then the lease is left to others, by the process's own clock. */
  restsUntil: number;
  readonly applied: AppliedRate;
  /** Somebody has seen an index that stands at the beginning, though this drain has applied changes to it. */
  mayBeLost: boolean;
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
  #progress = Promise.withResolvers<void>();

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
    for (const [tenant, { running, gathering, failures, known, seen }] of this.#tenants) {
      const isDue =
        this.#waiting.has(tenant) || running !== undefined || gathering !== undefined || failures.areGoingOn;
      const behind = isDue && seen !== undefined ? Math.max(0, known - seen) : 0;
      changes += behind;
      if (behind > 0 || failures.areGoingOn) tenants++;
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
    if (head > 0) {
      const drain = this.#drainOf(tenant);
      drain.known = Math.max(drain.known, head);
    }
    if (seen === 0 && this.#options.projection.isImmediate === true) {
      const drain = this.#drainOf(tenant);
      drain.mayBeLost ||= (drain.lease.position ?? 0) > 0;
    }
    this.#waiting.add(tenant);
    this.#startWaiting();
  }

  /** Resolves when few tenants wait to be looked at, or the signal aborts: what was left over does not crowd out others. */
  async hasRoom(signal: AbortSignal): Promise<void> {
    while (this.#waiting.size >= maxIdle && !signal.aborted)
      await Promise.race([this.#progress.promise, backgroundPause(waiterPollDelay, signal)]);
  }

  /**
   * Says that something was committed: it is applied a moment later, with what else is committed until then.
   *
   * @param head a sequence that the log has reached
   */
  wakeSoon(tenant: TenantId, head: Sequence): void {
    if (this.#stop.signal.aborted) return;
    const drain = this.#drainOf(tenant);
    drain.known = Math.max(drain.known, head);
    drain.gathering ??= setTimeout(() => {
      drain.gathering = undefined;
      this.wake(tenant);
    }, gatherTime).unref();
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
    tenant: TenantId,
    drain: TenantDrain,
    work: (position: Sequence, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    await this.#leaving.get(tenant);
    // Where it stood when something was applied is not where it stands, if it has lost that since.
    drain.lease.forgetPosition();
    // One that has nothing to apply gives its lease back when it is asked to, or lets it end.
    const { ledger, projection } = this.#options;
    const end = performance.now() + leasePatience;
    let delay = ledger.askForLease === undefined ? leaseRetryDelay : firstAskedDelay;
    while (!(await drain.lease.hold()) && performance.now() < end) {
      await ledger.askForLease?.(tenant, projection.name);
      await backgroundPause(delay, signal);
      delay = Math.min(2 * delay, ledger.askForLease === undefined ? leaseRetryDelay : longestAskedDelay);
      throwIfAborted(signal);
      throwIfAborted(this.#stop.signal);
    }
    const { position } = drain.lease;
    if (position === undefined) throw takenBy(`Another server is bringing ${projection.name} up to date.`);
    await projection.checkContents?.();
    if (drain.retry !== undefined) {
      // It waited for the lease: it looks as soon as the work is done, and is idle then for whoever asks next.
      clearTimeout(drain.retry);
      drain.retry = undefined;
      this.#waiting.add(tenant);
    }
    const lost = new AbortController();
    const renew = async (): Promise<void> => {
      if (await drain.lease.renew()) return;
      lost.abort(takenBy(`Another server has begun to bring ${projection.name} up to date.`));
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

  /** Applies what there is, and keeps nothing of the tenant any more until it is woken for it again. */
  async leave(tenant: TenantId): Promise<void> {
    const drain = this.#tenants.get(tenant);
    if (drain === undefined) return;
    this.#tenants.delete(tenant);
    const leaving = this.#closeTenant(tenant, drain).finally(() => {
      // What was running may have put off something.
      clearTimeout(drain.retry);
      clearTimeout(drain.gathering);
      this.#waiting.delete(tenant);
      this.#leaving.delete(tenant);
    });
    this.#leaving.set(tenant, leaving);
    await leaving;
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
    await Promise.all([...this.#tenants].map(([tenant, drain]) => this.#closeTenant(tenant, drain)));
    this.#tenants.clear();
    await Promise.all(this.#leaving.values());
  }

  #startWaiting(): void {
    for (const tenant of this.#waiting) {
      if (this.#isPaused || this.#stop.signal.aborted || this.#running >= maxRunning) return;
      const drain = this.#drainOf(tenant);
      // A running drain looks at the waiting set itself before it ends.
      if (drain.running !== undefined || drain.waitingForStillness > 0 || performance.now() < drain.restsUntil)
        continue;
      clearTimeout(drain.retry);
      drain.retry = undefined;
      this.#running++;
      drain.running = this.#run(tenant, drain).finally(() => {
        drain.running = undefined;
        this.#running--;
        this.#startWaiting();
        this.#leaveIdle();
      });
    }
  }

  /** Gives back what is kept for tenants that nothing was done for in the longest time. */
  #leaveIdle(): void {
    for (const [tenant, drain] of this.#tenants) {
      if (this.#tenants.size <= maxIdle || this.#stop.signal.aborted) return;
      if (!this.#hasWork(tenant, drain)) this.#giveBack(tenant, drain);
    }
  }

  /** Another server asks for the lease. What has something to apply, as where there is never nothing to do, hands it over after a batch. */
  #giveBackAsked(tenant: TenantId): void {
    const drain = this.#tenants.get(tenant);
    if (drain === undefined) return;
    if (this.#hasWork(tenant, drain)) drain.isAskedFor = drain.lease.position !== undefined;
    else this.#giveBack(tenant, drain);
  }

  #giveBack(tenant: TenantId, drain: TenantDrain): void {
    this.#tenants.delete(tenant);
    const leaving = this.#closeTenant(tenant, drain).finally(() => this.#leaving.delete(tenant));
    this.#leaving.set(tenant, leaving);
  }

  #hasWork(tenant: TenantId, drain: TenantDrain): boolean {
    const { running, waitingForStillness, gathering, retry } = drain;
    const isScheduled = gathering !== undefined || retry !== undefined;
    return running !== undefined || waitingForStillness > 0 || isScheduled || this.#waiting.has(tenant);
  }

  #drainOf(tenant: TenantId): TenantDrain {
    let drain = this.#tenants.get(tenant);
    if (drain === undefined) {
      drain = {
        running: undefined,
        waitingForStillness: 0,
        lease: new DrainLease({ ...this.#options, tenant }),
        known: 0,
        seen: undefined,
        gathering: undefined,
        retry: undefined,
        failures: new DrainFailures(this.#options.projection.name),
        isAskedFor: false,
        restsUntil: 0,
        applied: new AppliedRate(),
        mayBeLost: false,
      };
      this.#tenants.set(tenant, drain);
    }
    return drain;
  }

  async #run(tenant: TenantId, drain: TenantDrain): Promise<void> {
    // The lease that was kept before would be somebody else's.
    await this.#leaving.get(tenant);
    // The most recently used is the last to be left.
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, drain);
    try {
      while (drain.waitingForStillness === 0 && !drain.isAskedFor && this.#waiting.delete(tenant)) {
        for (;;) {
          if (!(await drain.lease.hold())) return this.#retryIn(leaseRetryDelay, tenant, drain);
          drain.seen = drain.lease.position;
          if (!(await this.#applyBatch(tenant, drain))) break;
          if (drain.isAskedFor) break;
          if (!this.#isPaused && !this.#stop.signal.aborted && drain.waitingForStillness === 0) continue;
          this.#waiting.add(tenant);
          return undefined;
        }
      }
      drain.failures.end();
      if (drain.isAskedFor) await this.#handOver(tenant, drain);
      else this.#acknowledgeSoon(tenant, drain);
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      this.#options.reportProblem(error, `bringing ${this.#options.projection.name} up to date`);
      drain.lease.giveBack();
      return this.#retryIn(drain.failures.add(error), tenant, drain);
    }
  }

  async #handOver(tenant: TenantId, drain: TenantDrain): Promise<void> {
    drain.isAskedFor = false;
    await drain.lease.handOver();
    drain.restsUntil = performance.now() + turnOfOthers;
    this.#retryIn(turnOfOthers, tenant, drain);
  }

  /**
   * Applies what comes next in the log, and passes over the entries of other families behind it. False when there was nothing
   * to apply.
   */
  async #applyBatch(tenant: TenantId, drain: TenantDrain): Promise<boolean> {
    const { ledger, projection } = this.#options;
    const call = { signal: this.#stop.signal };
    if (drain.mayBeLost) {
      drain.mayBeLost = false;
      drain.lease.advance(await projection.checkpoint(tenant));
    }
    const position = drain.lease.position ?? 0;
    // Noted before the log is read: whatever there is up to here is then in what was read.
    const { known } = drain;
    const [read] = await Promise.all([
      ledger.changes(tenant, position, batchSize, { ...call, families: this.families }),
      projection.checkContents?.(),
    ]);
    const entries = ofBatch(read);
    const last = entries.at(-1);
    if (last === undefined) {
      if (position > (await ledger.head(tenant))) throw aheadOfLedger(this.#options.projection.name, tenant);
      return false;
    }
    const isEnd = read.length < batchSize && entries.length === read.length;
    const through = isEnd ? Math.max(last.sequence, known) : last.sequence;
    try {
      await projection.apply(tenant, entries, through, { ...call, after: position });
    } catch (error) {
      // It may have lost what was applied before, as an index does that is in memory alone: then there is more to bring.
      const stands = await projection.checkpoint(tenant).catch(() => position);
      if (stands >= position) throw error;
      drain.lease.advance(stands);
      return true;
    }
    drain.lease.advance(through);
    drain.seen = through;
    drain.applied.add(entries.length);
    this.#progress.resolve();
    this.#progress = Promise.withResolvers<void>();
    return true;
  }

  #retryIn(delay: number, tenant: TenantId, drain: TenantDrain): void {
    clearTimeout(drain.retry);
    drain.retry = setTimeout(() => {
      drain.retry = undefined;
      drain.restsUntil = 0;
      this.wake(tenant);
    }, delay).unref();
  }

  #acknowledgeSoon(tenant: TenantId, { lease }: TenantDrain): void {
    lease.acknowledgeSoon((error) => {
      this.#options.reportProblem(error, `acknowledging ${this.#options.projection.name}`);
      this.#retryIn(longestRetryDelay, tenant, this.#drainOf(tenant));
    });
  }

  async #closeTenant(tenant: TenantId, drain: TenantDrain): Promise<void> {
    clearTimeout(drain.retry);
    clearTimeout(drain.gathering);
    await drain.running;
    try {
      await drain.lease.close();
    } catch (error) {
      this.#options.reportProblem(error, `releasing ${this.#options.projection.name} of ${tenant}`);
    }
  }
}

/** The first entries, up to one after which there is enough text. */
function ofBatch(entries: readonly LogEntry[]): readonly LogEntry[] {
  let units = 0;
  const end = entries.findIndex((entry) => {
    const change = memoryChangeOf(entry);
    units += change?.type === "memoryWritten" ? change.memory.text.length : 0;
    return units >= batchUnits;
  });
  return end === -1 ? entries : entries.slice(0, end + 1);
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
