import type { DatabaseSync } from "node:sqlite";
import type { Instant, TenantId } from "@loci/domain";
import type { CountedJobs, JobListQuery, StoredJob, UnfinishedJobs } from "@loci/ledger";
import { jobColumns, type JobRow, storedJobOf } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";

/** Stands in the place of the tenant for jobs of the deployment. */
export const deploymentJobs = 0;

/** Reads jobs. Those that need not be kept any more are gone, though their rows may still be there. */
export class JobReader {
  readonly #tenant: Query<{ id: number }>;
  readonly #one: Query<JobRow>;
  readonly #newest: Query<JobRow>;
  readonly #available: Query<{ found: number }>;
  readonly #unfinished: Query<Omit<UnfinishedJobs, "kind">>;
  readonly #counts: Query<CountedJobs>;

  constructor(database: DatabaseSync) {
    const isKept = "(kept_until IS NULL OR kept_until > ?)";
    this.#tenant = prepareQuery(database, "SELECT id FROM tenants WHERE name = ?");
    this.#one = prepareQuery(database, `SELECT ${jobColumns} FROM jobs WHERE tenant = ? AND id = ? AND ${isKept}`);
    this.#newest = prepareQuery(
      database,
      `SELECT ${jobColumns} FROM jobs WHERE tenant = ? AND kind = ? AND (created_at, id) < (?, ?) AND ${isKept}
         ORDER BY created_at DESC, id DESC LIMIT ?`,
    );
    this.#available = prepareQuery(
      database,
      "SELECT 1 AS found FROM jobs WHERE kind = ? AND available_at IS NOT NULL AND available_at <= ? LIMIT 1",
    );
    this.#counts = prepareQuery(
      database,
      `SELECT kind, state, count(*) AS jobs FROM jobs INDEXED BY jobs_newest_first
         WHERE tenant = ? AND ${isKept} GROUP BY kind, state ORDER BY kind, state`,
    );
    this.#unfinished = prepareQuery(
      database,
      `SELECT coalesce(sum(state = 'queued'), 0) AS queued, coalesce(sum(state = 'running'), 0) AS running
         FROM jobs WHERE kind = ? AND available_at IS NOT NULL`,
    );
  }

  /** Whether there may be one to claim. */
  isAvailable(kinds: readonly string[], now: Instant): boolean {
    return kinds.some((kind) => this.#available.get(kind, now) !== undefined);
  }

  get(tenant: TenantId | undefined, id: string, now: Instant): StoredJob | undefined {
    const owner = this.#idOf(tenant);
    const row = owner === undefined ? undefined : this.#one.get(owner, id, now);
    return row && storedJobOf(row, tenant);
  }

  list(tenant: TenantId | undefined, { kind, after, limit }: JobListQuery, now: Instant): readonly StoredJob[] {
    const owner = this.#idOf(tenant);
    if (owner === undefined) return [];
    const { createdAt, id } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
    return this.#newest.all(owner, kind, createdAt, id, now, limit).map((row) => storedJobOf(row, tenant));
  }

  unfinished(kinds: readonly string[]): readonly UnfinishedJobs[] {
    return kinds.map((kind) => {
      const { queued, running } = this.#unfinished.get(kind) ?? { queued: 0, running: 0 };
      return { kind, queued, running };
    });
  }

  counts(tenant: TenantId | undefined, now: Instant): readonly CountedJobs[] {
    const owner = this.#idOf(tenant);
    if (owner === undefined) return [];
    return this.#counts.all(owner, now).map(({ kind, state, jobs }) => ({ kind, state, jobs }));
  }

  #idOf(tenant: TenantId | undefined): number | undefined {
    return tenant === undefined ? deploymentJobs : this.#tenant.get(tenant)?.id;
  }
}
