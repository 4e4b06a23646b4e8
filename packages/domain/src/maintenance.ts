import type { CallOptions } from "./call-options.ts";
import type {
  ExportedRecord,
  ExportPage,
  ExportRecordsRequest,
  ExportRequest,
  ImportRecordsReport,
  ImportReport,
} from "./exchange.ts";
import type { MemoryId } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import type { ScopeInput } from "./scope.ts";

/** How far a long job has come. */
export interface MaintenanceProgress {
  /** What is being done, such as `building indexes`. */
  readonly activity: string;
  readonly done: number;
  /** Absent when it is not known. May grow while others write. */
  readonly total?: number | undefined;
  readonly ratePerSecond: number;
}

/** What every job takes besides its request. */
export interface MaintenanceOptions extends CallOptions {
  /** Called at most ten times a second, and once at the end of each activity. Over a connection more seldom. */
  readonly onProgress?: ((progress: MaintenanceProgress) => void) | undefined;
}

interface DryRun {
  /** Finds out and reports what would be done, and changes nothing. Default false. */
  readonly dryRun?: boolean | undefined;
}

interface AtTime extends DryRun {
  /** As of when ages are counted. Default now. */
  readonly evaluationTime?: Instant | undefined;
}

/** Moves the indexes while they are in use. Concerns every tenant: role `operate`. */
export interface ReindexRequest extends DryRun {
  /** Name of the place to move to, as configured. Default: where they are. */
  readonly to?: string | undefined;
  /** Name of the embedder to use from then on, as configured. Default: the one in use. */
  readonly embedder?: string | undefined;
  /** Removes the indexes that are not used any more. Default false: they are kept, and cost disk space only. */
  readonly dropOld?: boolean | undefined;
}

/** Reads what the ledger holds and compares it with the indexes. */
export interface VerifyRequest {
  /** Applies what is missing and removes what should not be there. Default false. */
  readonly repair?: boolean | undefined;
}

/** Turns what has expired into tombstones. */
export interface ExpireRequest extends AtTime {}

/** Archives memories that have faded, and removes for good what was archived long ago. */
export interface PruneRequest extends AtTime {
  /** Only what nobody has used or changed for so many days is archived. Default 180. */
  readonly dormantDays?: number | undefined;
  /** Tombstones older than so many days are removed for good. Default: none is. */
  readonly removeAfterDays?: number | undefined;
}

/** Gives back space and keeps searching fast. Concerns every tenant: role `operate`. */
export interface CompactRequest extends DryRun {}

/**
 * Seals everything in the ledger under the current encryption key: what was written before there were keys, and what is under
 * another one, which can then be taken away. Concerns every tenant: role `operate`.
 */
export interface EncryptRequest extends DryRun {}

/** Sets importance anew from how a memory was used. The importance it was given is kept in its history. */
export interface ReweighRequest extends AtTime {}

/** Lists what a person should look at. Changes nothing. */
export interface ReviewRequest {
  /** Static memories not changed for so many days are listed. Default 365. */
  readonly staticDays?: number | undefined;
  readonly evaluationTime?: Instant | undefined;
}

/** Copies the ledger while it is in use. Concerns every tenant: role `operate`. */
export interface BackupRequest {
  /** An empty or new directory, on the machine where Loci runs. */
  readonly directory: string;
}

/** Removes for good everything of a user, of a scope, or of the tenant. Exactly one of them is given. */
export interface EraseRequest extends DryRun {
  /** The id of a user: `ann`, not `user:ann`. */
  readonly user?: string | undefined;
  readonly scope?: ScopeInput | undefined;
  /** The name of the principal's own tenant, spelled out so that nobody erases it by an omission. */
  readonly tenant?: string | undefined;
}

/** A job, and what it is to do. */
export type MaintenanceJob =
  | ({ readonly type: "reindex" } & ReindexRequest)
  | ({ readonly type: "verify" } & VerifyRequest)
  | ({ readonly type: "expire" } & ExpireRequest)
  | ({ readonly type: "prune" } & PruneRequest)
  | ({ readonly type: "compact" } & CompactRequest)
  | ({ readonly type: "encrypt" } & EncryptRequest)
  | ({ readonly type: "reweigh" } & ReweighRequest)
  | ({ readonly type: "review" } & ReviewRequest)
  | ({ readonly type: "backup" } & BackupRequest)
  | ({ readonly type: "erase" } & EraseRequest);

export type MaintenanceJobType = MaintenanceJob["type"];

/** One thing a job found or decided, with what it decided by. */
export interface MaintenanceFinding {
  /** Absent when it is not about one memory. */
  readonly memory?: MemoryId | undefined;
  /** What was found, in UPPER_SNAKE, such as `MISSING_ROW` or `DORMANT`. */
  readonly reason: string;
  /** Numbers and names the decision was made by. Never memory text. */
  readonly details: Readonly<Record<string, string>>;
}

/** What came of a job: also the receipt of an erasure. */
export interface MaintenanceReport {
  readonly job: MaintenanceJobType;
  readonly dryRun: boolean;
  /** By name, such as `archived`; the guide to operating says what each job counts. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first 1,000. */
  readonly findings: readonly MaintenanceFinding[];
  /** Sentences for people: what could not be proved, what to do next. */
  readonly notes: readonly string[];
}

/** Jobs that keep a deployment in order. All need the role `admin`, those that concern every tenant `operate`. */
export interface MaintenanceApi {
  /** Runs a job of any type; the methods below are the same by name. */
  run(job: MaintenanceJob, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  reindex(request: ReindexRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  verify(request?: VerifyRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  expire(request?: ExpireRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  prune(request?: PruneRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  compact(request?: CompactRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  encrypt(request?: EncryptRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  reweigh(request?: ReweighRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  review(request?: ReviewRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  backup(request: BackupRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  erase(request: EraseRequest, options?: MaintenanceOptions): Promise<MaintenanceReport>;
  /** Everything but what was erased: every state, current versions, by id. Repeat with `next` until it is absent. */
  exportMemories(request?: ExportRequest, options?: CallOptions): Promise<ExportPage>;
  /**
   * Stores lines of an export, 1 to 1,000 at a time, under the ids they have. Importing again changes nothing. Lines come back as
   * they are: unlike `remember` with `origin: "import"` it refuses no secrets.
   */
  importMemories(lines: readonly string[], options?: CallOptions): Promise<ImportReport>;
  /**
   * Everything that is kept for the tenant, or a part of it, a line each: memories, blocks with their versions and edits, sessions
   * with their turns and turn states, captures and what memories rest on. What was erased is in none. A stream that breaks off is
   * gone on with by `after`.
   *
   * @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `SCOPE_NOT_PERMITTED`
   */
  exportRecords(request?: ExportRecordsRequest, options?: CallOptions): AsyncIterable<ExportedRecord, void, undefined>;
  /**
   * Stores lines of an export, 1 to 1,000 at a time, under the ids and names they have. Importing again changes nothing: what is
   * there stays as it is, what was deleted or erased stays so. Lines come back as they are: no secrets are refused.
   *
   * Lines go in the order of the export: a turn whose session is not there, or evidence of a memory that is not, is left out.
   *
   * @throws LociError for the first line that is none of an export, before any is stored; `SCOPE_NOT_PERMITTED`
   */
  importRecords(lines: readonly string[], options?: CallOptions): Promise<ImportRecordsReport>;
}

/** Gives every job its method. */
export function maintenanceMethods(
  run: MaintenanceApi["run"],
): Omit<MaintenanceApi, "exportMemories" | "importMemories" | "exportRecords" | "importRecords"> {
  return {
    run,
    reindex: (request, options) => run({ ...request, type: "reindex" }, options),
    verify: (request, options) => run({ ...request, type: "verify" }, options),
    expire: (request, options) => run({ ...request, type: "expire" }, options),
    prune: (request, options) => run({ ...request, type: "prune" }, options),
    compact: (request, options) => run({ ...request, type: "compact" }, options),
    encrypt: (request, options) => run({ ...request, type: "encrypt" }, options),
    reweigh: (request, options) => run({ ...request, type: "reweigh" }, options),
    review: (request, options) => run({ ...request, type: "review" }, options),
    backup: (request, options) => run({ ...request, type: "backup" }, options),
    erase: (request, options) => run({ ...request, type: "erase" }, options),
  };
}
