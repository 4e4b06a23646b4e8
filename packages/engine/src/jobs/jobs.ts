import { randomUUID } from "node:crypto";
import { type CallOptions, LociError, type TenantId, throwIfAborted } from "@loci/domain";
import type { JobListQuery, JobTable, NewJob, StoredJob, UnfinishedJobs } from "@loci/ledger";
import { engineInstruments } from "../calls/engine-metrics.ts";
import { backgroundPause, pause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import { closed } from "../calls/running-calls.ts";
import { defaultConcurrency, defaultLeaseMilliseconds, type JobHandler } from "./job-handler.ts";
import { RunningJob } from "./running-job.ts";

export interface JobsOptions {
  readonly table: JobTable;
  readonly reportProblem: ReportProblem;
  /** How often to look for what others have left, and for what is due again, in milliseconds. Default 1 s. */
  readonly pollMilliseconds?: number | undefined;
}

/** How often a job that another process may carry out is looked at by who waits for it. */
const waitInterval = 250;

/**
 * The durable jobs of a ledger, and this process's worker on them. Whatever process enqueues a job, one of those that have a
 * handler for its kind carries it out: usually the one that enqueued it, which is woken at once.
 */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #handlers = new Map<string, JobHandler>();
  readonly #running = new Map<RunningJob, Promise<void>>();
  readonly #worker = randomUUID();
  #wake = new AbortController();
  #working: Promise<void> | undefined;
  #isClosed = false;
  /** Who waits for a job, by its key. Told when it ends in this process. */
  readonly #waiting = new Map<string, Set<AbortController>>();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** From now on this process carries out jobs of the kind. Without any handler it does not look for work. */
  handle(kind: string, handler: JobHandler): void {
    this.#handlers.set(kind, handler);
    this.#working ??= this.#work();
    this.#wakeUp();
  }

  /** @throws LociError `TOO_MANY_REQUESTS`, `CLOSED` */
  async enqueue(tenant: TenantId | undefined, job: NewJob): Promise<StoredJob> {
    if (this.#isClosed) throw closed();
    const stored = await this.#options.table.enqueue(tenant, job);
    this.#wakeUp();
    return stored;
  }

  get(tenant: TenantId | undefined, id: string): Promise<StoredJob | undefined> {
    return this.#options.table.get(tenant, id);
  }

  list(tenant: TenantId | undefined, query: JobListQuery): Promise<readonly StoredJob[]> {
    return this.#options.table.list(tenant, query);
  }

  /** How many of the kinds that this process carries out have not ended, whoever's they are. */
  unfinished(call?: CallOptions): Promise<readonly UnfinishedJobs[]> {
    return this.#options.table.unfinished([...this.#handlers.keys()], call);
  }

  /**
   * The job when it has ended or the time is over, whichever is first. A job of another process is looked at four times a second.
   *
   * @throws LociError what the signal was aborted with
   */
  async wait(
    tenant: TenantId | undefined,
    id: string,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<StoredJob | undefined> {
    const over = performance.now() + milliseconds;
    for (;;) {
      throwIfAborted(signal);
      const woken = new AbortController();
      const waiting = this.#waitersOf(tenant, id).add(woken);
      try {
        const job = await this.get(tenant, id);
        const left = over - performance.now();
        if (job === undefined || job.endedAt !== undefined || left <= 0) return job;
        await pause(Math.min(left, waitInterval), AbortSignal.any([signal, woken.signal]));
      } finally {
        waiting.delete(woken);
        if (waiting.size === 0) this.#waiting.delete(keyOf(tenant, id));
      }
    }
  }

  /**
   * Ends a job that is queued, and has one that runs stop: one of this process has done so, within a second, when the answer
   * comes; one of another hears of it within some seconds.
   */
  async cancel(tenant: TenantId | undefined, id: string): Promise<StoredJob | undefined> {
    const job = await this.#options.table.cancel(tenant, id);
    if (job?.state !== "running") {
      this.#tellEnd(tenant, id);
      return job;
    }
    for (const [running, end] of this.#running) {
      const { lease } = running.claimed;
      if (lease.id !== id || lease.tenant !== tenant) continue;
      running.stop("cancelled");
      await end;
      return this.get(tenant, id);
    }
    return job;
  }

  /** Claims nothing any more, and gives back what is under way and does not end within a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeUp();
    for (const running of this.#running.keys()) running.stop("closing");
    await this.#working;
    await Promise.all(this.#running.values());
  }

  async #work(): Promise<void> {
    const { table, reportProblem, pollMilliseconds = 1_000 } = this.#options;
    while (!this.#isClosed) {
      const woken = this.#wake.signal;
      try {
        if (await this.#claim(table)) continue;
      } catch (error) {
        if (this.#isClosed || (LociError.is(error) && error.reason === "CLOSED")) return;
        reportProblem(error, "looking for work");
      }
      await backgroundPause(pollMilliseconds, woken);
    }
  }

  /** @returns whether there may be more to do */
  async #claim(table: JobTable): Promise<boolean> {
    const kinds = [...this.#handlers].filter(([kind, handler]) => this.#hasRoom(kind, handler)).map(([kind]) => kind);
    if (kinds.length === 0) return false;
    // None is shorter than its kind asks for; the first renewal sets it right.
    const leases = kinds.map((kind) => this.#handlers.get(kind)?.leaseMilliseconds ?? defaultLeaseMilliseconds);
    const claimed = await table.claim({ kinds, worker: this.#worker, leaseMilliseconds: Math.max(...leases) });
    const handler = claimed && this.#handlers.get(claimed.job.kind);
    if (claimed === undefined || handler === undefined) return false;
    const { reportProblem } = this.#options;
    const running = new RunningJob(claimed, { table, handler, reportProblem });
    this.#running.set(running, this.#follow(running));
    if (this.#isClosed) running.stop("closing");
    return true;
  }

  async #follow(running: RunningJob): Promise<void> {
    try {
      const ended = await running.run();
      if (ended !== undefined)
        engineInstruments.add("loci.jobs.ended", 1, { "loci.job.kind": ended.kind, "loci.job.state": ended.state });
    } finally {
      this.#running.delete(running);
      const { tenant, id } = running.claimed.lease;
      this.#tellEnd(tenant, id);
      this.#wakeUp();
    }
  }

  #hasRoom(kind: string, { concurrency = defaultConcurrency }: JobHandler): boolean {
    const running = [...this.#running.keys()].filter(({ claimed }) => claimed.job.kind === kind);
    return running.length < concurrency;
  }

  #wakeUp(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  #waitersOf(tenant: TenantId | undefined, id: string): Set<AbortController> {
    const key = keyOf(tenant, id);
    const waiting = this.#waiting.get(key) ?? new Set<AbortController>();
    this.#waiting.set(key, waiting);
    return waiting;
  }

  #tellEnd(tenant: TenantId | undefined, id: string): void {
    for (const woken of this.#waiting.get(keyOf(tenant, id)) ?? []) woken.abort();
  }
}

function keyOf(tenant: TenantId | undefined, id: string): string {
  return JSON.stringify([tenant ?? null, id]);
}
