import type { DatabaseSync } from "node:sqlite";
import type { Instant, TenantId } from "@loci/domain";
import { type ClaimedJob, type JobClaim, mostEndedJobs, type StoredJob } from "@loci/ledger";
import { jobColumns, type JobRow, leaseLost, storedJobOf, tooManyJobs } from "@loci/ledger/sql";
import type { InternedNames } from "./interned-names.ts";
import { deploymentJobs } from "./job-reader.ts";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";
import type {
  CancelJobOperation,
  EnqueueJobOperation,
  FinishJobOperation,
  RenewJobOperation,
} from "./write-operation.ts";

interface AvailableJob {
  readonly tenant: number;
  readonly id: string;
  readonly available_at: Instant;
  readonly cancel_requested: number;
}

/** Who holds the job, and for which attempt. */
const isHeld = "tenant = ? AND id = ? AND state = 'running' AND worker = ? AND attempts = ?";
const isOver = "available_at = NULL, worker = NULL, ended_at = ?, kept_until = ? + keep_for";

/** Writes jobs, inside the transaction that is open. */
export class JobWriter {
  readonly #names: InternedNames;
  readonly #one: Query<JobRow>;
  readonly #unfinished: Query<{ count: number }>;
  readonly #add: Command;
  readonly #available: Query<AvailableJob>;
  readonly #tenantName: Query<{ name: TenantId }>;
  readonly #take: Command;
  readonly #renew: Command;
  readonly #end: Command;
  readonly #putBack: Command;
  readonly #giveBack: Command;
  readonly #ask: Command;
  readonly #cancel: Command;
  readonly #removeOld: Command;
  readonly #removeTooMany: Command;
  readonly #endLeases: Command;

  constructor(database: DatabaseSync, names: InternedNames) {
    this.#names = names;
    const command = (sql: string): Command => prepareCommand(database, sql);
    this.#one = prepareQuery(database, `SELECT ${jobColumns} FROM jobs WHERE tenant = ? AND id = ?`);
    this.#unfinished = prepareQuery(
      database,
      "SELECT count(*) AS count FROM jobs WHERE tenant = ? AND kind = ? AND available_at IS NOT NULL",
    );
    this.#add = command(
      `INSERT INTO jobs (tenant, id, kind, state, request, attempts, created_at, available_at, cancel_requested, keep_for)
         VALUES (?, ?, ?, 'queued', ?, 0, ?, ?, 0, ?)`,
    );
    this.#available = prepareQuery(
      database,
      `SELECT tenant, id, available_at, cancel_requested FROM jobs
         WHERE kind = ? AND available_at IS NOT NULL AND available_at <= ? ORDER BY available_at LIMIT 1`,
    );
    this.#tenantName = prepareQuery(database, "SELECT name FROM tenants WHERE id = ?");
    this.#take = command(
      `UPDATE jobs SET state = 'running', attempts = attempts + 1, worker = ?, available_at = ?
         WHERE tenant = ? AND id = ?`,
    );
    this.#renew = command(`UPDATE jobs SET available_at = ?, progress = coalesce(?, progress) WHERE ${isHeld}`);
    this.#end = command(`UPDATE jobs SET state = ?, result = ?, error = coalesce(?, error), ${isOver} WHERE ${isHeld}`);
    this.#putBack = command(
      `UPDATE jobs SET state = 'queued', worker = NULL, error = ?, available_at = ?
         WHERE ${isHeld} AND cancel_requested = 0`,
    );
    this.#giveBack = command(
      `UPDATE jobs SET state = 'queued', worker = NULL, attempts = attempts - 1, available_at = ?
         WHERE ${isHeld} AND cancel_requested = 0`,
    );
    this.#ask = command("UPDATE jobs SET cancel_requested = 1 WHERE tenant = ? AND id = ? AND state = 'running'");
    this.#cancel = command(`UPDATE jobs SET state = 'cancelled', ${isOver} WHERE tenant = ? AND id = ? AND state = ?`);
    this.#removeOld = command("DELETE FROM jobs WHERE kept_until IS NOT NULL AND kept_until <= ?");
    this.#removeTooMany = command(
      `DELETE FROM jobs WHERE tenant = ?1 AND id IN (
         SELECT id FROM jobs WHERE tenant = ?1 AND kind = ?2 AND ended_at IS NOT NULL
           ORDER BY ended_at DESC LIMIT -1 OFFSET ${mostEndedJobs})`,
    );
    this.#endLeases = command(
      "UPDATE jobs SET available_at = 0, worker = NULL WHERE available_at IS NOT NULL AND state = 'running'",
    );
  }

  /** Ends the leases of the directory's former owner, which is gone: a directory has one owner at a time. */
  endLeases(): void {
    this.#endLeases.run();
  }

  enqueue({ tenant, job }: EnqueueJobOperation, now: Instant): StoredJob {
    const { id, kind, request, keepMilliseconds, mostUnfinished = Infinity } = job;
    const owner = this.#idOf(tenant);
    this.#removeOld.run(now);
    if (this.#one.get(owner, id) === undefined) {
      if (mostUnfinished < Infinity && (this.#unfinished.get(owner, kind)?.count ?? 0) >= mostUnfinished)
        throw tooManyJobs(kind, mostUnfinished);
      this.#removeTooMany.run(owner, kind);
      this.#add.run(owner, id, kind, request, now, now, keepMilliseconds);
    }
    return this.#stored(tenant, id);
  }

  claim({ kinds, worker, leaseMilliseconds }: JobClaim, now: Instant): ClaimedJob | undefined {
    for (;;) {
      const first = kinds
        .flatMap((kind) => this.#available.all(kind, now))
        .toSorted((left, right) => left.available_at - right.available_at)[0];
      if (first === undefined) return undefined;
      const { tenant: owner, id } = first;
      if (first.cancel_requested === 1) {
        this.#cancel.run(now, now, owner, id, "running");
        continue;
      }
      this.#take.run(worker, now + leaseMilliseconds, owner, id);
      const tenant = owner === deploymentJobs ? undefined : this.#tenantName.get(owner)?.name;
      const job = this.#stored(tenant, id);
      return { job, lease: { tenant, id, worker, attempt: job.attempts } };
    }
  }

  renew({ lease, leaseMilliseconds, progress }: RenewJobOperation, now: Instant): StoredJob {
    const { tenant, id, worker, attempt } = lease;
    const held = [this.#idOf(tenant), id, worker, attempt];
    const { changes } = this.#renew.run(now + leaseMilliseconds, progress ?? null, ...held);
    if (changes === 0) throw leaseLost(id);
    return this.#stored(tenant, id);
  }

  finish({ lease, outcome }: FinishJobOperation, now: Instant): StoredJob {
    const { tenant, id, worker, attempt } = lease;
    const held = [this.#idOf(tenant), id, worker, attempt] as const;
    const end = (state: string, result?: string, error?: string): number =>
      Number(this.#end.run(state, result ?? null, error ?? null, now, now, ...held).changes);
    let written: number;
    if (outcome.state !== "queued")
      written = end(
        outcome.state,
        outcome.state === "succeeded" ? outcome.result : undefined,
        outcome.state === "dead" ? outcome.error : undefined,
      );
    else {
      const { error, retryInMilliseconds = 0 } = outcome;
      const { changes } =
        error === undefined
          ? this.#giveBack.run(now + retryInMilliseconds, ...held)
          : this.#putBack.run(error, now + retryInMilliseconds, ...held);
      // What was to stop is not queued again.
      written = Number(changes) || end("cancelled", undefined, error);
    }
    if (written === 0) throw leaseLost(id);
    return this.#stored(tenant, id);
  }

  cancel({ tenant, id }: CancelJobOperation, now: Instant): StoredJob | undefined {
    const owner = this.#idOf(tenant);
    this.#removeOld.run(now);
    this.#cancel.run(now, now, owner, id, "queued");
    this.#ask.run(owner, id);
    const row = this.#one.get(owner, id);
    return row && storedJobOf(row, tenant);
  }

  #stored(tenant: TenantId | undefined, id: string): StoredJob {
    const row = this.#one.get(this.#idOf(tenant), id);
    // It was written a moment ago, in the same transaction.
    if (row === undefined) throw new TypeError("A job that was written is not there.");
    return storedJobOf(row, tenant);
  }

  #idOf(tenant: TenantId | undefined): number {
    return tenant === undefined ? deploymentJobs : this.#names.tenant(tenant);
  }
}
