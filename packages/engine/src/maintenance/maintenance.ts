import {
  type Instant,
  LociError,
  type MaintenanceJob,
  maintenanceMethods,
  type MaintenanceOptions,
  type MaintenanceReport,
  type Principal,
} from "@loci/domain";
import type { RunningCalls } from "../calls/running-calls.ts";
import { compactStorage } from "./compact-storage.ts";
import type { CurrentServices } from "../calls/current-services.ts";
import type { BackupLedger, ScrubFiles } from "./deployment-files.ts";
import { encryptLedger } from "./encrypt-ledger.ts";
import { eraseMemories } from "./erase-memories.ts";
import { expireMemories } from "./expire-memories.ts";
import type { IndexMover } from "./index-mover.ts";
import { authorizeJob } from "./job-rules.ts";
import type { JobCall, MaintenanceCall } from "../calls/maintenance-call.ts";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { pruneMemories } from "./prune-memories.ts";
import { reviewMemories } from "./review-memories.ts";
import { reweighMemories } from "./reweigh-memories.ts";
import { checkJob } from "./validate-job.ts";
import { verifyTenant } from "./verify-tenant.ts";

export interface MaintenanceParts {
  readonly current: CurrentServices<MaintenanceServices>;
  readonly mover: IndexMover;
  readonly backupLedger: BackupLedger | undefined;
  readonly scrubFiles: ScrubFiles | undefined;
}

/** Keeps the process running while a job waits for work in the background, whose timers do not. */
async function whileAwake<Result>(work: () => Promise<Result>): Promise<Result> {
  const awake = setInterval(() => undefined, 60_000);
  try {
    return await work();
  } finally {
    clearInterval(awake);
  }
}

type JobsApi = ReturnType<typeof maintenanceMethods>;

/** The jobs that keep a deployment in order. */
export class Maintenance {
  readonly #parts: MaintenanceParts;

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
  }

  /** As a principal may use them. @throws LociError `ROLE_REQUIRED`, `SCOPE_NOT_PERMITTED` */
  for(principal: Principal, calls: RunningCalls): JobsApi {
    const run = (job: MaintenanceJob, options: MaintenanceOptions = {}): Promise<MaintenanceReport> => {
      const { onProgress, ...call } = options;
      return calls.run(call, (signal) => whileAwake(() => this.#run(principal, job, { signal, onProgress })));
    };
    return maintenanceMethods(run);
  }

  async #run(principal: Principal, given: MaintenanceJob, call: MaintenanceCall): Promise<MaintenanceReport> {
    const job = checkJob(given);
    authorizeJob(principal, job.type);
    const { current, mover, scrubFiles } = this.#parts;
    const { tenant } = principal;
    const dryRun = "dryRun" in job && job.dryRun === true;
    const now: Instant = ("evaluationTime" in job ? job.evaluationTime : undefined) ?? current.now.clock();
    const jobCall: JobCall = { ...call, principal, dryRun, now };
    switch (job.type) {
      case "reindex":
        return mover.reindex(job, dryRun, call);
      case "verify":
        return current.use((used) => verifyTenant(used, tenant, job, call));
      case "expire":
        return current.use((used) => expireMemories(used, jobCall));
      case "prune":
        return current.use((used) => pruneMemories(used, job, jobCall));
      case "compact":
        return current.use((used) => compactStorage(used, dryRun, call));
      case "encrypt":
        return current.use((used) => encryptLedger(used, dryRun, call));
      case "reweigh":
        return current.use(async (used) => {
          await Promise.all([used.usage.flush(), used.shown.flush()]);
          return reweighMemories(used, jobCall);
        });
      case "review":
        return current.use((used) => reviewMemories(used, job.staticDays, jobCall));
      case "backup":
        return this.#backup(job.directory, call);
      case "erase":
        // Takes turns with moves, so that it must not keep one from ending.
        return eraseMemories({ current, mover, scrubFiles }, principal, job, call);
    }
  }

  async #backup(directory: string, call: MaintenanceCall): Promise<MaintenanceReport> {
    const { backupLedger } = this.#parts;
    if (backupLedger === undefined)
      throw new LociError("UNSUPPORTED_OPERATION", {
        message: "The ledger's database is not a file that Loci could copy.",
        advice: "Use the backup tools of the database.",
      });
    const { bytes } = await backupLedger(directory, call);
    const notes = ["When it is restored, pass `--erasures` the erasures.jsonl of the newest backup there is."];
    return { job: "backup", dryRun: false, counts: { bytes }, findings: [], notes };
  }
}
