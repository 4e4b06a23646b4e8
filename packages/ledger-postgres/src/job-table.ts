import type { Instant, TenantId } from "@loci/domain";
import {
  type ClaimedJob,
  type CountedJobs,
  type JobClaim,
  type JobLease,
  type JobTable,
  mostEndedJobs,
  type StoredJob,
  type UnfinishedJobs,
} from "@loci/ledger";
import { jobColumns, type JobRow, leaseLost, storedJobOf, tooManyJobs } from "@loci/ledger/sql";
import { accessOf } from "./access.ts";
import type { Connections } from "./connections.ts";
import { now } from "./database-clock.ts";
import { type Statement, statement } from "./statement.ts";

/** Stands in the place of the tenant for jobs of the deployment. */
const deployment = "";

/** A job whose time is over may still have a row. */
const isKept = (clock: string): string => `(kept_until IS NULL OR kept_until > ${now(clock)})`;

/** Room for a new job: what has been over for long, and the oldest of too many. */
const removeEnded = statement(
  `DELETE FROM jobs WHERE tenant = $1 AND (kept_until <= ${now("$2")} OR id IN (
     SELECT id FROM jobs WHERE tenant = $1 AND kind = $3 AND ended_at IS NOT NULL
       ORDER BY ended_at DESC OFFSET ${mostEndedJobs}))`,
);

const add: Statement<JobRow> = statement(
  `INSERT INTO jobs (tenant, id, kind, state, request, attempts, created_at, available_at, cancel_requested, keep_for)
     SELECT $1, $2, $3, 'queued', $4, 0, ${now("$5")}, ${now("$5")}, false, $6
       WHERE $7::integer IS NULL
         OR (SELECT count(*) FROM jobs WHERE tenant = $1 AND kind = $3 AND available_at IS NOT NULL) < $7
     ON CONFLICT (tenant, id) DO NOTHING RETURNING ${jobColumns}`,
);

const one: Statement<JobRow> = statement(
  `SELECT ${jobColumns} FROM jobs WHERE tenant = $1 AND id = $2 AND ${isKept("$3")}`,
);

const newest: Statement<JobRow> = statement(
  `SELECT ${jobColumns} FROM jobs WHERE tenant = $1 AND kind = $2 AND (created_at, id) < ($3, $4) AND ${isKept("$5")}
     ORDER BY created_at DESC, id DESC LIMIT $6`,
);

const unfinished: Statement<UnfinishedJobs> = statement(
  `SELECT wanted.kind, coalesce(sum((state = 'queued')::integer), 0)::float8 AS queued,
       coalesce(sum((state = 'running')::integer), 0)::float8 AS running
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (kind, place)
     LEFT JOIN jobs ON jobs.kind = wanted.kind AND available_at IS NOT NULL
     GROUP BY wanted.kind, wanted.place ORDER BY wanted.place`,
);

const counts: Statement<CountedJobs> = statement(
  `SELECT kind, state, count(*)::float8 AS jobs FROM jobs WHERE tenant = $1 AND ${isKept("$2")}
     GROUP BY kind, state ORDER BY kind COLLATE "C", state COLLATE "C"`,
);

/** Several, so that servers which look at the same time need not look again for each other's. */
const available: Statement<{ readonly tenant: TenantId; readonly id: string }> = statement(
  `SELECT tenant, id FROM jobs WHERE kind = ANY ($1::text[]) AND available_at <= ${now("$2")}
     ORDER BY available_at LIMIT 8`,
);

const isOver = (clock: string): string =>
  `available_at = NULL, worker = NULL, ended_at = ${now(clock)}, kept_until = ${now(clock)} + keep_for`;

/** One that waits for another's row looks again at what the other has left. */
const cancelAbandoned: Statement<unknown> = statement(
  `UPDATE jobs SET state = 'cancelled', ${isOver("$3")}
     WHERE tenant = $1 AND id = $2 AND available_at <= ${now("$3")} AND cancel_requested RETURNING true`,
);

const take: Statement<JobRow> = statement(
  `UPDATE jobs SET state = 'running', attempts = attempts + 1, worker = $4, available_at = ${now("$3")} + $5::bigint
     WHERE tenant = $1 AND id = $2 AND available_at <= ${now("$3")} AND NOT cancel_requested RETURNING ${jobColumns}`,
);

/** Who holds the job, and for which attempt. */
const isHeld = "tenant = $1 AND id = $2 AND state = 'running' AND worker = $3 AND attempts = $4";

const renew: Statement<JobRow> = statement(
  `UPDATE jobs SET available_at = ${now("$5")} + $6::bigint, progress = coalesce($7::text, progress)
     WHERE ${isHeld} RETURNING ${jobColumns}`,
);

const end: Statement<JobRow> = statement(
  `UPDATE jobs SET state = $6, result = $7, error = coalesce($8::text, error), ${isOver("$5")}
     WHERE ${isHeld} RETURNING ${jobColumns}`,
);

/** Without an error the job is given back, and the attempt does not count. */
const putBack: Statement<JobRow> = statement(
  `UPDATE jobs SET state = 'queued', worker = NULL, available_at = ${now("$5")} + $6::bigint,
       error = coalesce($7::text, error), attempts = attempts - CASE WHEN $7::text IS NULL THEN 1 ELSE 0 END
     WHERE ${isHeld} AND NOT cancel_requested RETURNING ${jobColumns}`,
);

const cancel: Statement<unknown> = statement(
  `UPDATE jobs SET cancel_requested = state = 'running',
       state = CASE state WHEN 'queued' THEN 'cancelled' ELSE state END,
       available_at = CASE state WHEN 'queued' THEN NULL ELSE available_at END,
       ended_at = CASE state WHEN 'queued' THEN ${now("$3")} END,
       kept_until = CASE state WHEN 'queued' THEN ${now("$3")} + keep_for END
     WHERE tenant = $1 AND id = $2 AND state IN ('queued', 'running') RETURNING true`,
);

/** Durable work. */
export function jobTable(connections: Connections, clock: (() => Instant) | undefined): JobTable {
  const time = (): Instant | null => clock?.() ?? null;
  const get: JobTable["get"] = async (tenant, id, call) => {
    const [row] = await connections.read(accessOf(tenant), one, [tenant ?? deployment, id, time()], call);
    return row && storedJobOf(row, tenant);
  };
  /** What the holder of a lease writes. @throws LociError `LEASE_LOST` */
  const write = async (
    { tenant, id, worker, attempt }: JobLease,
    wanted: Statement<JobRow>,
    values: readonly unknown[],
  ): Promise<StoredJob> => {
    const held = [tenant ?? deployment, id, worker, attempt, time()];
    const [row] = await connections.write(accessOf(tenant), wanted, [...held, ...values]);
    if (row === undefined) throw leaseLost(id);
    return storedJobOf(row, tenant);
  };
  return {
    get,
    enqueue: async (tenant, { id, kind, request, keepMilliseconds, mostUnfinished }) => {
      const owner = tenant ?? deployment;
      await connections.write(accessOf(tenant), removeEnded, [owner, time(), kind]);
      const values = [owner, id, kind, request, time(), keepMilliseconds, mostUnfinished ?? null];
      const [added] = await connections.write(accessOf(tenant), add, values);
      const job = added === undefined ? await get(tenant, id) : storedJobOf(added, tenant);
      if (job === undefined) throw tooManyJobs(kind, mostUnfinished ?? 0);
      return job;
    },
    claim: (claim) => claimJob(connections, claim, time),
    renew: (lease, leaseMilliseconds, progress) => write(lease, renew, [leaseMilliseconds, progress ?? null]),
    finish: async (lease, outcome) => {
      const result = outcome.state === "succeeded" ? outcome.result : undefined;
      if (outcome.state !== "queued")
        return write(lease, end, [outcome.state, result ?? null, outcome.state === "dead" ? outcome.error : null]);
      const error = outcome.error ?? null;
      try {
        return await write(lease, putBack, [outcome.retryInMilliseconds ?? 0, error]);
      } catch (failure) {
        // What was to stop is not queued again. Who has lost the lease is refused once more.
        if ((await get(lease.tenant, lease.id))?.cancelRequested !== true) throw failure;
        return write(lease, end, ["cancelled", null, error]);
      }
    },
    cancel: async (tenant, id) => {
      await connections.write(accessOf(tenant), cancel, [tenant ?? deployment, id, time()]);
      return get(tenant, id);
    },
    unfinished: (kinds, call) => connections.read({ everyTenant: true }, unfinished, [kinds], call),
    counts: (tenant, call) => connections.read(accessOf(tenant), counts, [tenant ?? deployment, time()], call),
    list: async (tenant, { kind, after, limit }, call) => {
      const { createdAt, id } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
      const values = [tenant ?? deployment, kind, createdAt, id, time(), limit];
      return (await connections.read(accessOf(tenant), newest, values, call)).map((row) => storedJobOf(row, tenant));
    },
  };
}

async function claimJob(
  connections: Connections,
  { kinds, worker, leaseMilliseconds }: JobClaim,
  time: () => Instant | null,
): Promise<ClaimedJob | undefined> {
  for (;;) {
    const found = await connections.read({ everyTenant: true }, available, [kinds, time()]);
    if (found.length === 0) return undefined;
    for (const { tenant: owner, id } of found) {
      const tenant = owner === deployment ? undefined : owner;
      const values = [owner, id, time()];
      const [row] = await connections.write(accessOf(tenant), take, [...values, worker, leaseMilliseconds]);
      if (row !== undefined)
        return { job: storedJobOf(row, tenant), lease: { tenant, id, worker, attempt: row.attempts } };
      // Another has taken it, or its holder is gone and it was to stop.
      await connections.write(accessOf(tenant), cancelAbandoned, values);
    }
  }
}
