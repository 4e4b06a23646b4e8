import { type Instant, type MaintenanceJobType, tenantId } from "@loci/domain";
import type { Ledger, ProjectionLease } from "@loci/ledger";
import { backgroundPause } from "../calls/pause.ts";

export interface JobTurnsOptions {
  readonly ledger: Pick<Ledger, "lease" | "settings">;
  readonly clock: () => Instant;
  /** The server whose turn is its own, for a job on what only that server has. Default: all servers take one turn. */
  readonly ownerOf: (job: MaintenanceJobType) => string | undefined;
}

/** A job that comes back. */
export interface JobRepetition {
  readonly job: MaintenanceJobType;
  /** From one beginning to the next. A run that takes longer is not overtaken. */
  readonly everyMilliseconds: number;
  /** The signal aborts when the repetition ends, and when another server has taken over. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Told when the work or the ledger fails. The job then waits for its next time. */
  readonly onFailure: (error: unknown) => void;
}

/** Shorter than any ledger's lease lasts. */
const leaseRenewal = 2_000;
/** While another server runs the job, or the ledger cannot be asked. */
const longestRetryDelay = 60_000;
const day = 86_400_000;
/** The ledger leases by tenant; these are for all of them. */
const everyTenant = tenantId("every");

/**
 * Whose turn it is to run jobs that come back: of all servers on a ledger one runs a job when it is due. When it ran last is
 * in the ledger, so that a restart neither repeats nor forgets it. A job whose server died is due again as soon as that one's
 * lease has ended.
 */
export class JobTurns {
  readonly #options: JobTurnsOptions;

  constructor(options: JobTurnsOptions) {
    this.#options = options;
  }

  /**
   * Runs a job whenever it is due and it is this server's turn, for the first time an interval after it was scheduled first.
   * Resolves when the signal has aborted and the work has ended. Keeps no process alive.
   */
  async repeat(repetition: JobRepetition, signal: AbortSignal): Promise<void> {
    const { everyMilliseconds, onFailure } = repetition;
    while (!signal.aborted) {
      let delay = Math.min(everyMilliseconds, longestRetryDelay);
      try {
        const due = await this.#dueIn(repetition);
        if (due > 0) delay = Math.min(due, day);
        else if (await this.#take(repetition, signal)) continue;
      } catch (error) {
        if (!signal.aborted) onFailure(error);
      }
      await backgroundPause(delay, signal);
    }
  }

  /** In how many milliseconds the job is due; 0 or less: now. */
  async #dueIn({ job, everyMilliseconds }: JobRepetition): Promise<number> {
    const { ledger, clock } = this.#options;
    const name = this.#settingOf(job);
    const now = clock();
    const ran = await ledger.settings.get(undefined, name);
    // Whoever else asks for it first at the same time writes about the same.
    if (ran === undefined) await ledger.settings.compareAndSet(undefined, name, undefined, String(now));
    // A time to come was noted before the clock was set back: it is not waited for.
    return Math.min(Number(ran ?? now), now) + everyMilliseconds - now;
  }

  /** Runs the job if no other server does. @returns whether it ran */
  async #take(repetition: JobRepetition, signal: AbortSignal): Promise<boolean> {
    const { ledger, clock } = this.#options;
    const lease = await ledger.lease(everyTenant, `job:${this.#nameOf(repetition.job)}`);
    if (lease === undefined) return false;
    try {
      // Another may have run it since it was found to be due.
      if ((await this.#dueIn(repetition)) > 0) return false;
      const began = String(clock());
      const note = (): Promise<void> => ledger.settings.set(undefined, this.#settingOf(repetition.job), began);
      try {
        await whileHeld(lease, repetition.work, signal);
      } catch (error) {
        // What was stopped is still due, for another server.
        if (!signal.aborted) await note();
        throw error;
      }
      await note();
      return true;
    } finally {
      await lease.release();
    }
  }

  #settingOf(job: MaintenanceJobType): string {
    return `job-ran:${this.#nameOf(job)}`;
  }

  #nameOf(job: MaintenanceJobType): string {
    const owner = this.#options.ownerOf(job);
    return owner === undefined ? job : `${job}@${owner}`;
  }
}

/** Renews the lease until the work ends, and stops the work when the lease is lost. */
async function whileHeld(
  lease: ProjectionLease,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const renewing = setInterval(() => {
    lease.acknowledge(0).then(
      (isHeld) => void (isHeld || lost.abort()),
      // The next renewal may succeed; else the lease ends, and that one says so.
      () => undefined,
    );
  }, leaseRenewal).unref();
  try {
    await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(renewing);
  }
}
