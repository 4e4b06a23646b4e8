import type { Sequence } from "./identifiers.ts";
import type { Instant } from "./instant.ts";

/** How Loci is: what it holds of the caller's tenant, and whether all that follows the ledger has kept up. */
export interface LociStatus {
  readonly ledger: LedgerStatus;
  /** What follows the log: the indexes, and whatever else does. */
  readonly projections: readonly ProjectionStatus[];
  /** Durable work of the tenant, by its kind. Kinds of which nothing waits, is under way or has failed are left out. */
  readonly jobs: readonly JobsStatus[];
  /** Who had the vectors that were asked for. Of every tenant: only with the role `operate`. Absent without a cache. */
  readonly embeddingCache?: EmbeddingCacheStatus | undefined;
}

/** What the ledger holds of the tenant. */
export interface LedgerStatus {
  /** Of the last entry of the tenant's log; 0 before the first. */
  readonly sequence: Sequence;
  /** When that was recorded. */
  readonly recordedAt?: Instant | undefined;
  /** Active memories. One that has expired counts until the job `expire` has found it. */
  readonly memories: number;
  /** All that there are, with those that wait for approval and the tombstones of those that were forgotten. */
  readonly kept: number;
  /** Scopes that hold active memories. */
  readonly scopes: number;
  /** What the database takes, of every tenant: only with the role `operate`. */
  readonly bytes?: number | undefined;
}

/** How far something has followed the tenant's log. */
export interface ProjectionStatus {
  /** Such as `vectors`, `text` or `capture-triggers`. */
  readonly name: string;
  /** The last entry that it has seen. Absent: it does not answer. */
  readonly checkpoint?: Sequence | undefined;
  /** Entries between that and the last one that concerns it. Those that do not concern it may be among them. */
  readonly behind?: number | undefined;
  /** When the oldest of them was recorded. Absent: it is up to date. */
  readonly oldest?: Instant | undefined;
  /** Entries a second that this process has brought to it over the last 10 to 20 s. */
  readonly ratePerSecond: number;
  /** Why it could not be brought up to date the last time. Absent: it could. */
  readonly failure?: ProjectionFailure | undefined;
}

/** Why a projection stays behind. */
export interface ProjectionFailure {
  /** In UPPER_SNAKE, such as `STORE_UNAVAILABLE`; `INTERNAL` for what nobody foresaw. The log says more. */
  readonly reason: string;
  /** Since when every try has failed. */
  readonly since: Instant;
}

/** Durable work of one kind. */
export interface JobsStatus {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  /** Those that have failed for good, for as long as they are kept. */
  readonly dead: number;
}

/** How many texts a vector was asked for, since the process began, and who had it. */
export interface EmbeddingCacheStatus {
  readonly requested: number;
  /** The layer in this process. */
  readonly memory: number;
  /** Asked for twice at once: the other's work. */
  readonly shared: number;
  /** The layer in the ledger. */
  readonly ledger: number;
  /** Nobody: they were embedded. */
  readonly embedder: number;
  /** Vectors in this process now. */
  readonly entries: number;
  /** Times the ledger's layer failed or was too slow. */
  readonly failures: number;
}
