import { LociError } from "@loci/domain";
import type { ClaimedJob, JobOutcome, JobTable, StoredJob } from "@loci/ledger";
import { backgroundPause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import { canBeMended, encodeJobError, jobErrorOf, jobInterrupted } from "./job-error.ts";
import { defaultLeaseMilliseconds, defaultRetryDelays, type JobHandler, mostAttempts } from "./job-handler.ts";

/** Why a job is to stop: it was cancelled, somebody else has it, or the process ends. */
type StopReason = "cancelled" | "lost" | "closing";

/** How soon progress is written, and how often the lease is renewed: so late a cancellation by another server is heard of. */
const progressInterval = 500;
const renewalInterval = 2_000;
/** How long what is to stop may take for it. */
const stopTimeLimit = 1_000;

export interface RunningJobParts {
  readonly table: JobTable;
  readonly handler: JobHandler;
  readonly reportProblem: ReportProblem;
}

/** One attempt at a job: renews the lease while its handler works, stops it when it has to, and writes how it ended. */
export class RunningJob {
  readonly claimed: ClaimedJob;
  readonly #parts: RunningJobParts;
  readonly #end = new AbortController();
  readonly #stopping = Promise.withResolvers<void>();
  #stopReason: StopReason | undefined;
  #progress: string | undefined;
  #renewing: Promise<void> | undefined;
  #renewedAt = performance.now();

  constructor(claimed: ClaimedJob, parts: RunningJobParts) {
    this.claimed = claimed;
    this.#parts = parts;
  }

  /** Tells the handler to stop. The first reason counts. */
  stop(reason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#end.abort(
      new LociError("CANCELLED", {
        message: reason === "cancelled" ? "The operation was cancelled." : "The operation goes on elsewhere.",
      }),
    );
    this.#stopping.resolve();
  }

  /** Resolves at the end of the attempt, with the job as it is then; with none when somebody else has it. Never rejects. */
  async run(): Promise<StoredJob | undefined> {
    const renewals = setInterval(() => this.#renewInTime(), progressInterval).unref();
    let outcome: JobOutcome | undefined;
    try {
      outcome = await this.#attempt();
    } catch (error) {
      // Not the work, which has an end of its own: the request cannot be read.
      outcome = dead(jobErrorOf(error));
    } finally {
      clearInterval(renewals);
    }
    try {
      await this.#renewing;
      if (outcome === undefined) return undefined;
      await this.#tellLast();
      return await this.#parts.table.finish(this.claimed.lease, outcome);
    } catch (error) {
      // The lease runs out, and whoever claims the job then carries it out again.
      if (!isLeaseLost(error)) this.#parts.reportProblem(error, "noting how a job ended");
      return undefined;
    }
  }

  /** @returns how it ended; nothing when somebody else has it */
  async #attempt(): Promise<JobOutcome | undefined> {
    const { job } = this.claimed;
    const { handler } = this.#parts;
    // It is not tried again after a failure either, which cannot be told from a death.
    const wasInterrupted = job.attempts > 1;
    const mayRun = job.attempts <= Math.max(mostAttempts, (handler.retryDelays ?? defaultRetryDelays).length + 1);
    if (!mayRun || (wasInterrupted && handler.isRepeatable?.(job) === false)) return dead(jobInterrupted());
    const over = new AbortController();
    const working = this.#work();
    const stopped = this.#stopping.promise.then(async () => {
      await backgroundPause(stopTimeLimit, over.signal);
      return this.#outcomeOfStop();
    });
    try {
      return await Promise.race([working, stopped]);
    } finally {
      over.abort();
    }
  }

  async #work(): Promise<JobOutcome | undefined> {
    const { job } = this.claimed;
    const { handler } = this.#parts;
    try {
      const progress = (told: string): void => void (this.#progress = told);
      const result = await handler.run(job, { signal: this.#end.signal, progress });
      return this.#stopReason === "lost" ? undefined : { state: "succeeded", result };
    } catch (error) {
      if (this.#stopReason !== undefined) return this.#outcomeOfStop();
      // Whoever asks for the job is told only that it failed.
      if (!LociError.is(error)) this.#parts.reportProblem(error, `carrying out a job of the kind ${job.kind}`);
      const known = jobErrorOf(error);
      const retryInMilliseconds = (handler.retryDelays ?? defaultRetryDelays)[job.attempts - 1];
      if (retryInMilliseconds === undefined || !canBeMended(known)) return dead(known);
      return { state: "queued", error: encodeJobError(known), retryInMilliseconds };
    }
  }

  #outcomeOfStop(): JobOutcome | undefined {
    if (this.#stopReason === "lost") return undefined;
    if (this.#stopReason === "cancelled") return { state: "cancelled" };
    return this.#parts.handler.isRepeatable?.(this.claimed.job) === false
      ? dead(jobInterrupted())
      : { state: "queued" };
  }

  /** What was told last is to be read, too, for which the lease is still needed. When that fails, how the job ended is noted all the same. */
  async #tellLast(): Promise<void> {
    if (this.#progress === undefined) return;
    try {
      await this.#renew();
    } catch (error) {
      if (isLeaseLost(error)) throw error;
    }
  }

  #renewInTime(): void {
    const since = performance.now() - this.#renewedAt;
    const { leaseMilliseconds = defaultLeaseMilliseconds } = this.#parts.handler;
    if (this.#renewing !== undefined) return;
    if (this.#progress === undefined && since < Math.min(renewalInterval, leaseMilliseconds / 4)) return;
    this.#renewing = this.#renew()
      .catch((error: unknown) => {
        // Otherwise the next renewal may succeed.
        if (isLeaseLost(error)) this.stop("lost");
      })
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  async #renew(): Promise<void> {
    const { table, handler } = this.#parts;
    this.#renewedAt = performance.now();
    const progress = this.#progress;
    this.#progress = undefined;
    const { leaseMilliseconds = defaultLeaseMilliseconds } = handler;
    try {
      const job = await table.renew(this.claimed.lease, leaseMilliseconds, progress);
      if (job.cancelRequested) this.stop("cancelled");
    } catch (error) {
      // To be told with the next renewal, unless more was told by then.
      this.#progress ??= progress;
      throw error;
    }
  }
}

function dead(error: LociError): JobOutcome {
  return { state: "dead", error: encodeJobError(error) };
}

function isLeaseLost(error: unknown): boolean {
  return LociError.is(error) && error.reason === "LEASE_LOST";
}
