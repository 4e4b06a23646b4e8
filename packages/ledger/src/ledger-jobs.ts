import type { CallOptions, Instant, TenantId } from "@loci/domain";

/**
 * `queued`: waits for a worker, at first or once more. `running`: a worker has a lease on it, which may have run out. The others
 * have ended: `dead` has failed for good.
 */
export type JobState = "queued" | "running" | "succeeded" | "dead" | "cancelled";

/** Work to be done. */
export interface NewJob {
  /** 1 to 200 characters, chosen by the caller: the same id is the same job. */
  readonly id: string;
  /** What kind of work it is. 1 to 200 characters. */
  readonly kind: string;
  /** What there is to do, which the ledger does not read. Never memory text. */
  readonly request: string;
  /** How long it can be read after its end, in milliseconds by the ledger's clock. */
  readonly keepMilliseconds: number;
  /** How many jobs of the kind its owner may have that have not ended, this one included. Default: any number. */
  readonly mostUnfinished?: number | undefined;
}

/** A job as it is now. */
export interface StoredJob {
  /** Whose it is. Absent: the deployment's. */
  readonly tenant?: TenantId;
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly request: string;
  /** How often it was claimed, without the times it was given back. */
  readonly attempts: number;
  readonly createdAt: Instant;
  /** When it may be claimed: from its time on, or when the lease on it runs out. Absent after its end. */
  readonly dueAt?: Instant;
  /** Its holder was asked to stop. */
  readonly cancelRequested: boolean;
  readonly endedAt?: Instant;
  /** What its holder told last, which the ledger does not read. */
  readonly progress?: string;
  /** What came of it, when it has succeeded. */
  readonly result?: string;
  /** Why it failed the last time, if it did. */
  readonly error?: string;
}

/** The right to work on a job, of one worker for one attempt. */
export interface JobLease {
  /** Absent: the deployment's. */
  readonly tenant: TenantId | undefined;
  readonly id: string;
  readonly worker: string;
  readonly attempt: number;
}

/** A job that was claimed. */
export interface ClaimedJob {
  readonly job: StoredJob;
  readonly lease: JobLease;
}

/** What a worker asks for. */
export interface JobClaim {
  readonly kinds: readonly string[];
  /** Unique among all workers. */
  readonly worker: string;
  /** How long the lease lasts unless it is renewed. */
  readonly leaseMilliseconds: number;
}

/**
 * How an attempt ended. `queued`: the job is due again after a time, at once if none is given. Without an error it was given
 * back, and the attempt does not count.
 */
export type JobOutcome =
  | { readonly state: "succeeded"; readonly result?: string | undefined }
  | { readonly state: "queued"; readonly error?: string | undefined; readonly retryInMilliseconds?: number | undefined }
  | { readonly state: "dead"; readonly error: string }
  | { readonly state: "cancelled" };

/** A stretch of jobs of one kind. */
export interface JobListQuery {
  readonly kind: string;
  /** The last of the stretch before. */
  readonly after?: Pick<StoredJob, "createdAt" | "id"> | undefined;
  readonly limit: number;
}

/** How many jobs of a kind have not ended. */
export interface UnfinishedJobs {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
}

/** How many jobs of one kind an owner has in one state. */
export interface CountedJobs {
  readonly kind: string;
  readonly state: JobState;
  readonly jobs: number;
}

/** How many ended jobs of a kind an owner keeps at most, whatever their time. The oldest go. */
export const mostEndedJobs = 1_000;

/**
 * Durable work, outside the log, by the ledger's clock. Without a tenant a job belongs to the deployment. Every write resolves once
 * it is durable, but for the renewal of a lease. Rows of a tenant go when all of the tenant is purged.
 */
export interface JobTable {
  /**
   * Adds a job, due at once. One with its id is left as it is, whatever its state.
   *
   * @returns the job as it is now
   * @throws LociError `TOO_MANY_REQUESTS` beyond `mostUnfinished`; servers that enqueue at the same time may go beyond by a few
   */
  enqueue(tenant: TenantId | undefined, job: NewJob): Promise<StoredJob>;
  /** Takes the job of these kinds that has been due for longest and that nobody holds, whoever's it is, if there is one. */
  claim(claim: JobClaim): Promise<ClaimedJob | undefined>;
  /**
   * Makes the lease last so much longer from now, and notes how far the job has come.
   *
   * @returns the job, which says whether it is to stop
   * @throws LociError `LEASE_LOST`
   */
  renew(lease: JobLease, leaseMilliseconds: number, progress?: string): Promise<StoredJob>;
  /**
   * Ends the attempt, and the lease with it. A job that was to stop is not queued again: it is cancelled.
   *
   * @throws LociError `LEASE_LOST`
   */
  finish(lease: JobLease, outcome: JobOutcome): Promise<StoredJob>;
  /** Ends a job that is queued, and asks the holder of one that runs to stop; of one that has ended nothing changes. */
  cancel(tenant: TenantId | undefined, id: string): Promise<StoredJob | undefined>;
  get(tenant: TenantId | undefined, id: string, call?: CallOptions): Promise<StoredJob | undefined>;
  /** From the newest to the oldest; of those of one time by id, from the last. Fewer than `limit` only at the end. */
  list(tenant: TenantId | undefined, query: JobListQuery, call?: CallOptions): Promise<readonly StoredJob[]>;
  /** One entry for each kind, in their order: of every tenant and of the deployment. */
  unfinished(kinds: readonly string[], call?: CallOptions): Promise<readonly UnfinishedJobs[]>;
  /** How many an owner has, by kind and state, those that have ended for as long as they are kept. By kind, then by state. */
  counts(tenant: TenantId | undefined, call?: CallOptions): Promise<readonly CountedJobs[]>;
}

/** Durable work, outside the log. */
export interface LedgerJobs {
  readonly jobs: JobTable;
}
