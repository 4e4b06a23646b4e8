import type { Instant, TenantId } from "@loci/domain";
import type { JobState, StoredJob } from "../ledger-jobs.ts";

/** A job as a row. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly request: string;
  readonly attempts: number;
  readonly created_at: Instant;
  /** When it may be claimed; null after its end. */
  readonly available_at: Instant | null;
  readonly cancel_requested: number | boolean;
  readonly ended_at: Instant | null;
  readonly progress: string | null;
  readonly result: string | null;
  readonly error: string | null;
}

/** The columns of a {@link JobRow}. */
export const jobColumns =
  "id, kind, state, request, attempts, created_at, available_at, cancel_requested, ended_at, progress, result, error";

export function storedJobOf(row: JobRow, tenant: TenantId | undefined): StoredJob {
  const { available_at: dueAt, ended_at: endedAt, progress, result, error } = row;
  return {
    ...(tenant === undefined ? {} : { tenant }),
    id: row.id,
    kind: row.kind,
    state: row.state,
    request: row.request,
    attempts: row.attempts,
    createdAt: row.created_at,
    ...(dueAt === null ? {} : { dueAt }),
    cancelRequested: Boolean(row.cancel_requested),
    ...(endedAt === null ? {} : { endedAt }),
    ...(progress === null ? {} : { progress }),
    ...(result === null ? {} : { result }),
    ...(error === null ? {} : { error }),
  };
}
