import { LociError, type Sequence, type TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { AppliedRate } from "./applied-rate.ts";
import { DrainFailures } from "./drain-failures.ts";
import { DrainLease } from "./drain-lease.ts";
import { batchSize, entriesOfBatch } from "./log-batch.ts";
import type { LogProjection } from "./log-projection.ts";

/** How long a holder that was asked leaves the lease to who has asked: longer than that one waits between two times that it asks. */
const turnOfOthers = 400;
/** Commits of this time are applied together. A recall meanwhile reads them from the log, and has them applied at once. */
const gatherTime = 20;

/** Whose log is brought to which projection. */
export interface TenantDrainOptions {
  readonly ledger: Ledger;
  readonly projection: LogProjection;
  readonly tenant: TenantId;
}

/** How far one tenant's log was brought to a projection, what is to happen with it next, and each batch of it. */
export class TenantDrain {
  readonly tenant: TenantId;
  readonly lease: DrainLease;
  readonly failures: DrainFailures;
  readonly applied: AppliedRate = new AppliedRate();
  /** The drain under way, or work that the index stands still for. */
  running: Promise<void> | undefined;
  /** How many wait for it to stand still. It ends for them after its batch, however much there is to apply. */
  waitingForStillness = 0;
  /** Where the index stood when this process applied something to it, or was about to. */
  seen: Sequence | undefined;
  readonly #options: TenantDrainOptions;
  /** A sequence that the log has reached. */
  #known: Sequence = 0;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isAskedFor = false;
  /** Until then the lease is left to others, by the process's own clock. */
  #restsUntil = 0;
  /** Somebody has seen an index that stands at the beginning, though this drain has applied changes to it. */
  #mayBeLost = false;

  constructor(options: TenantDrainOptions) {
    this.#options = options;
    this.tenant = options.tenant;
    this.lease = new DrainLease(options);
    this.failures = new DrainFailures(options.projection.name);
  }

  /** Something runs, waits, or is about to begin. */
  get isBusy(): boolean {
    const isScheduled = this.#gathering !== undefined || this.#retry !== undefined;
    return this.running !== undefined || this.waitingForStillness > 0 || isScheduled;
  }

  /** Nothing runs, nobody waits for stillness, and it is nobody else's turn. */
  get mayStart(): boolean {
    return this.running === undefined && this.waitingForStillness === 0 && performance.now() >= this.#restsUntil;
  }

  /** Another server needs the lease that this one holds. */
  get isAskedFor(): boolean {
    return this.#isAskedFor;
  }

  /** Changes to apply by this process, as far as it knows. */
  changesBehind(isWaiting: boolean): number {
    const isDue = isWaiting || this.running !== undefined || this.#gathering !== undefined || this.failures.areGoingOn;
    return isDue && this.seen !== undefined ? Math.max(0, this.#known - this.seen) : 0;
  }

  /** @param head a sequence that the log has reached */
  learn(head: Sequence): void {
    this.#known = Math.max(this.#known, head);
  }

  /** An index that shows at once what was applied was seen at the beginning. */
  noteSeenEmpty(): void {
    this.#mayBeLost ||= (this.lease.position ?? 0) > 0;
  }

  /** Another server needs the lease: what is being drained hands it over after its batch. */
  noteAskedFor(): void {
    this.#isAskedFor = this.lease.position !== undefined;
  }

  /** Has the drain begin a moment later, with what else is committed until then. */
  beginSoon(begin: () => void): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      begin();
    }, gatherTime).unref();
  }

  /** @param delay milliseconds */
  retryIn(delay: number, begin: () => void): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#restsUntil = 0;
      begin();
    }, delay).unref();
  }

  /** The retry ends a rest, and so does taking it away. @returns whether there was one to come */
  cancelRetry(): boolean {
    if (this.#retry === undefined) return false;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#restsUntil = 0;
    return true;
  }

  /** Lets another server who has asked have its turn, and begins again after it. */
  async handOver(begin: () => void): Promise<void> {
    this.#isAskedFor = false;
    await this.lease.handOver();
    this.#restsUntil = performance.now() + turnOfOthers;
    this.retryIn(turnOfOthers, begin);
  }

  /**
   * Applies what comes next in the log, and passes over the entries of other families behind it. The lease is held. `more`: there may be
   * more to apply at once. What was committed meanwhile and is being gathered is not: commits that follow each other would be applied
   * one by one.
   */
  async applyBatch(signal: AbortSignal): Promise<"nothing" | "applied" | "more"> {
    const { ledger, projection } = this.#options;
    const { lease, tenant } = this;
    if (this.#mayBeLost) {
      this.#mayBeLost = false;
      lease.advance(await projection.checkpoint(tenant));
    }
    const position = lease.position ?? 0;
    // Noted before the log is read: whatever there is up to here is then in what was read.
    const known = this.#known;
    const [read] = await Promise.all([
      ledger.changes(tenant, position, batchSize, { signal, families: projection.families }),
      projection.checkContents?.(),
    ]);
    const entries = entriesOfBatch(read);
    const last = entries.at(-1);
    if (last === undefined) {
      if (position > (await ledger.head(tenant))) throw aheadOfLedger(projection.name, tenant);
      return "nothing";
    }
    const isEnd = read.length < batchSize && entries.length === read.length;
    const through = isEnd ? Math.max(last.sequence, known) : last.sequence;
    try {
      await projection.apply(tenant, entries, through, { signal, after: position });
    } catch (error) {
      // It may have lost what was applied before, as an index does that is in memory alone: then there is more to bring.
      const stands = await projection.checkpoint(tenant).catch(() => position);
      if (stands >= position) throw error;
      lease.advance(stands);
      return "more";
    }
    lease.advance(through);
    this.seen = through;
    this.applied.add(entries.length);
    return isEnd && this.#gathering !== undefined ? "applied" : "more";
  }

  /** Waits for what runs, acknowledges what was applied, gives the lease back. Nothing begins by itself any more. */
  async close(): Promise<void> {
    this.#stopTimers();
    try {
      await this.running;
      await this.lease.close();
    } finally {
      // What was running may have put off something.
      this.#stopTimers();
    }
  }

  #stopTimers(): void {
    this.cancelRetry();
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
  }
}

/** Nothing that comes from now on would be found: the index takes it for what it has seen already. */
function aheadOfLedger(name: string, tenant: TenantId): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `The ledger was put back while it was in use: ${name} has seen changes of ${tenant} that it does not have.`,
    resource: name,
    advice: "Start Loci again: indexes that are ahead of their ledger are then built anew.",
  });
}
