import { type MaintenanceJob, type OpenedEngine, type Principal, roles, type TenantId, tenantId } from "@loci/loci";
import type { Logger } from "../logging/logger.ts";
import { reasonOf } from "../logging/reason-of.ts";

/** A job that runs again and again. */
export interface ScheduledJob {
  readonly job: MaintenanceJob;
  /** From one beginning to the next; a run that takes longer is not overtaken. */
  readonly everyMinutes: number;
}

/** What fails for so many tenants in a row is nothing of theirs: the others need not be tried. */
const mostFailures = 10;

type ScheduledEngine = Pick<OpenedEngine, "for" | "tenants" | "turns">;

/**
 * Runs jobs while the server does: those of tenants for one tenant after the other, also when they fail for one. Of several servers
 * on one ledger one runs a job when it is due.
 */
export class MaintenanceSchedule {
  readonly #engine: ScheduledEngine;
  readonly #logger: Logger;
  readonly #running: readonly Promise<void>[];
  readonly #stop = new AbortController();

  constructor(engine: ScheduledEngine, jobs: readonly ScheduledJob[], logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
    this.#running = jobs.map(({ job, everyMinutes }) => {
      const repetition = {
        job: job.type,
        everyMilliseconds: everyMinutes * 60_000,
        work: (signal: AbortSignal) => this.#run(job, signal),
        onFailure: (error: unknown) => logger.log("warn", "maintenance failed", { job: job.type, ...reasonOf(error) }),
      };
      return engine.turns.repeat(repetition, this.#stop.signal);
    });
  }

  /** Stops what runs, and waits for it. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #run(job: MaintenanceJob, signal: AbortSignal): Promise<void> {
    const tenants = job.type === "compact" ? [everyTenant] : await this.#engine.tenants();
    let failures = 0;
    for (const tenant of tenants)
      try {
        await this.#runFor(tenant, job, signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted || ++failures === mostFailures) throw error;
        this.#logger.log("warn", "maintenance failed", { job: job.type, tenant, ...reasonOf(error) });
      }
  }

  async #runFor(tenant: TenantId, job: MaintenanceJob, signal: AbortSignal): Promise<void> {
    const loci = this.#engine.for(principalOf(tenant));
    const { counts } = await loci.maintenance.run(job, { signal });
    // What no job mends is for people.
    const isLeft = (counts["damaged"] ?? 0) + (counts["remaining"] ?? 0) > 0;
    this.#logger.log(isLeft ? "error" : "info", "maintenance", { job: job.type, tenant, ...counts });
  }
}

/** Stands for all of them where a job asks for none. */
const everyTenant: TenantId = tenantId("every");

function principalOf(tenant: TenantId): Principal {
  return { tenant, subject: "loci:schedule", roles, scopePatterns: ["*"] };
}
