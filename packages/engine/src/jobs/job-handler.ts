import type { StoredJob } from "@loci/ledger";

/** What a job is carried out with. */
export interface JobRun {
  /** Aborted when the job is to stop: it was cancelled, another worker has it, or the process ends. */
  readonly signal: AbortSignal;
  /** Notes how far the job has come, for whoever reads it. Of what comes fast only the last is written. */
  readonly progress: (progress: string) => void;
}

/** Carries out the jobs of one kind. */
export interface JobHandler {
  /**
   * Does what the job's request says. A job runs at least once, and perhaps again after it was done: what is written has to bear
   * that. What needs the engine's services takes them for as long as it needs them: indexes may move meanwhile.
   *
   * @returns the result, without memory text
   */
  readonly run: (job: StoredJob, run: JobRun) => Promise<string | undefined>;
  /** How many run at once in this process. Default 4. */
  readonly concurrency?: number | undefined;
  /**
   * How long to wait after each failure, in milliseconds. After as many the job is dead; at once after an error that another try
   * cannot mend. Default 1 s, 10 s, 1 min, 10 min.
   */
  readonly retryDelays?: readonly number[] | undefined;
  /** Whether a job may be carried out again whose worker has died, or has failed. Default: each may, five times in all. */
  readonly isRepeatable?: ((job: StoredJob) => boolean) | undefined;
  /** How long nobody else may take a job after this process has died, in milliseconds. Default 20 s. */
  readonly leaseMilliseconds?: number | undefined;
}

export const defaultConcurrency = 4;
export const defaultRetryDelays: readonly number[] = [1_000, 10_000, 60_000, 600_000];
export const defaultLeaseMilliseconds = 20_000;
/** A job that takes its process along each time does not do so for ever. */
export const mostAttempts = 5;
