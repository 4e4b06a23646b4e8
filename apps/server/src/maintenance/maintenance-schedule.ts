import { type MaintenanceJob, type OpenedEngine, type Principal, roles, type TenantId, tenantId } from "@loci/loci";
import { type Logger, placeOf } from "../logging/logger.ts";

/** A job that runs again and again. */
export interface ScheduledJob {
  readonly job: MaintenanceJob;
  /** From one beginning to the next; a run that takes longer is not overtaken. */
  readonly everyMinutes: number;
}

/** Runs jobs while the server does: those of tenants for one tenant after the other. */
export class MaintenanceSchedule {
  readonly #engine: Pick<OpenedEngine, "for" | "tenants">;
  readonly #logger: Logger;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(engine: Pick<OpenedEngine, "for" | "tenants">, jobs: readonly ScheduledJob[], logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
    for (const { job, everyMinutes } of jobs) this.#timers.push(this.#repeat(job, everyMinutes * 60_000));
  }

  /** Stops what runs, and waits for it. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  #repeat(job: MaintenanceJob, milliseconds: number): ReturnType<typeof setInterval> {
    let running: Promise<void> | undefined;
    return setInterval(() => {
      if (running !== undefined) return;
      const run = this.#run(job).finally(() => {
        this.#running.delete(run);
        running = undefined;
      });
      running = run;
      this.#running.add(run);
    }, milliseconds).unref();
  }

  async #run(job: MaintenanceJob): Promise<void> {
    try {
      const tenants = job.type === "compact" ? [everyTenant] : await this.#engine.tenants();
      for (const tenant of tenants) {
        const loci = this.#engine.for(principalOf(tenant));
        const { counts } = await loci.maintenance.run(job, { signal: this.#stop.signal });
        this.#logger.log("info", "maintenance", { job: job.type, tenant, ...counts });
      }
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.#logger.log("warn", "maintenance failed", { job: job.type, ...placeOf(error) });
    }
  }
}

/** Stands for all of them where a job asks for none. */
const everyTenant: TenantId = tenantId("every");

function principalOf(tenant: TenantId): Principal {
  return { tenant, subject: "loci:schedule", roles, scopePatterns: ["*"] };
}
