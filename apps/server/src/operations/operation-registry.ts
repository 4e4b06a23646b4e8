import { randomUUID } from "node:crypto";
import type { Operation, OperationState } from "@loci/api";
import {
  authorize,
  coversPatterns,
  errorOfJob,
  type Jobs,
  LociError,
  type MaintenanceProgress,
  type MaintenanceReport,
  type Principal,
  type TenantId,
} from "@loci/loci";
import { type CarryOut, encodeWork, parseWork, type RecordedWork, type StartedWork } from "./operation-work.ts";

type StoredJob = NonNullable<Awaited<ReturnType<Jobs["get"]>>>;

/** Of the durable jobs that operations are. */
const operationJob = "operation";
/** How long an operation can be read after its end, in milliseconds. */
const keptAfterEnd = 60 * 60 * 1_000;
const mostRunning = 64;
/** What starting gives out. Nothing else is looked for. */
const operationId = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An operation that was found, and whose it is in the ledger. */
interface Found {
  readonly owner: TenantId | undefined;
  readonly job: StoredJob;
}

const states: Readonly<Record<StoredJob["state"], OperationState>> = {
  queued: "running",
  running: "running",
  succeeded: "succeeded",
  dead: "failed",
  cancelled: "cancelled",
};

/**
 * The operations of each tenant: durable jobs, so that every server of the ledger answers for them and one that dies takes none
 * along. At most 64 running of a tenant, ended ones for an hour. One is there for the subject that started it, as long as it has
 * the role for that, and for the tenant's keys with the role `operate`; both only as far as their scope patterns cover those it was
 * started with, as its report may tell of what is there.
 *
 * An operation may be carried out again when its server has died. A backup is not: its directory has to be new.
 */
export class OperationRegistry {
  readonly #jobs: Jobs;

  constructor(jobs: Jobs, carryOut: CarryOut) {
    this.#jobs = jobs;
    jobs.handle(operationJob, {
      // What is started runs at once: a tenant that starts all it may leaves room for the others.
      concurrency: 16 * mostRunning,
      // Whoever started it is told, and decides.
      retryDelays: [],
      isRepeatable: ({ request }) => parseWork(request).kind !== "backup",
      run: async ({ request }, { signal, progress }) => {
        const onProgress = (told: MaintenanceProgress): void => progress(JSON.stringify(told));
        const report = await carryOut(parseWork(request), { signal, onProgress });
        return report === undefined ? undefined : JSON.stringify(report);
      },
    });
  }

  /**
   * Starts work. It goes on after the call.
   *
   * @throws LociError `TOO_MANY_REQUESTS`
   */
  async start(principal: Principal, work: StartedWork): Promise<Operation> {
    const { tenant } = principal;
    const job = await this.#jobs.enqueue(erasesTenant(work) ? undefined : tenant, {
      id: randomUUID(),
      kind: operationJob,
      request: encodeWork({ ...work, principal }),
      keepMilliseconds: keptAfterEnd,
      mostUnfinished: mostRunning,
    });
    return operationOf(job);
  }

  /** @throws LociError `OPERATION_NOT_FOUND`, also for another tenant's; `ROLE_REQUIRED` for another subject's; `SCOPE_NOT_PERMITTED` */
  async get(principal: Principal, id: string): Promise<Operation> {
    return operationOf((await this.#find(principal, id)).job);
  }

  /**
   * The operation when it has ended or the time is over, whichever is first.
   *
   * @param milliseconds how long to wait
   * @throws LociError what `get` throws; what `signal` was aborted with
   */
  async wait(principal: Principal, id: string, milliseconds: number, signal: AbortSignal): Promise<Operation> {
    const { owner, job } = await this.#find(principal, id);
    return operationOf((await this.#jobs.wait(owner, id, milliseconds, signal)) ?? job);
  }

  /**
   * Stops an operation; one that has ended stays as it is, and one of another server is asked to stop.
   *
   * @throws LociError what `get` throws
   */
  async cancel(principal: Principal, id: string): Promise<Operation> {
    const { owner, job } = await this.#find(principal, id);
    return operationOf((await this.#jobs.cancel(owner, id)) ?? job);
  }

  async #find(principal: Principal, id: string): Promise<Found> {
    const found = operationId.test(id) ? await this.#lookUp(principal.tenant, id) : undefined;
    if (found === undefined)
      throw new LociError("OPERATION_NOT_FOUND", {
        message: `There is no operation ${JSON.stringify(id.slice(0, 60))}.`,
        advice: "Operations are kept for an hour after their end.",
      });
    authorizeLook(principal, parseWork(found.job.request));
    return found;
  }

  async #lookUp(tenant: TenantId, id: string): Promise<Found | undefined> {
    for (const owner of [tenant, undefined]) {
      const job = await this.#jobs.get(owner, id);
      if (job?.kind === operationJob && parseWork(job.request).principal.tenant === tenant) return { owner, job };
    }
    return undefined;
  }
}

/** It would erase its own row, and with it the receipt: it is a job of the deployment. */
function erasesTenant({ job }: StartedWork): boolean {
  return job?.type === "erase" && job.tenant !== undefined;
}

/** @throws LociError `ROLE_REQUIRED`, `SCOPE_NOT_PERMITTED` */
function authorizeLook(principal: Principal, { principal: starter, role }: RecordedWork): void {
  const isOperator = principal.roles.includes("operate");
  if (!isOperator && starter.subject !== principal.subject)
    throw new LociError("ROLE_REQUIRED", {
      message: `${principal.subject} did not start this operation, and does not have the role operate.`,
      advice: "Use the credential that started it, or one of the tenant with the role operate.",
    });
  if (!isOperator) authorize(principal, role, []);
  if (!coversPatterns(principal, starter.scopePatterns))
    throw new LociError("SCOPE_NOT_PERMITTED", {
      message: `${principal.subject} may not touch every scope that this operation may.`,
      advice: "Use the credential that started it, or one that covers its scopes.",
    });
}

function operationOf(job: StoredJob): Operation {
  const { id, createdAt, endedAt, progress, result } = job;
  const { kind } = parseWork(job.request);
  const state = states[job.state];
  const error = state === "failed" ? errorOfJob(job) : undefined;
  return {
    id,
    kind,
    state,
    createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(error === undefined ? {} : { error }),
    ...(progress === undefined ? {} : { progress: JSON.parse(progress) as MaintenanceProgress }),
    ...(state !== "succeeded" ? {} : { result: resultOf(result) }),
  };
}

function resultOf(result: string | undefined): NonNullable<Operation["result"]> {
  return result === undefined
    ? { type: "settle" }
    : { type: "maintenance", report: JSON.parse(result) as MaintenanceReport };
}
