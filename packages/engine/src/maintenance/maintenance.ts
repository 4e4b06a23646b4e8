import {
  authorize,
  LociError,
  type MaintenanceApi,
  type MaintenanceJob,
  type MaintenanceJobType,
  maintenanceMethods,
  type MaintenanceOptions,
  type MaintenanceReport,
  type Principal,
} from "@loci/domain";
import type { EngineServices } from "../engine-services.ts";
import type { ReportProblem } from "../report-problem.ts";
import type { RunningCalls } from "../running-calls.ts";
import type { CurrentServices } from "./current-services.ts";
import type { IndexMover } from "./index-mover.ts";
import type { MaintenanceCall } from "./maintenance-call.ts";
import { verifyIndexes } from "./verify-indexes.ts";

/** Copies the ledger into a directory, consistent as of one moment. */
export type BackupLedger = (directory: string, call: MaintenanceCall) => Promise<{ readonly bytes: number }>;

/** Removes what a deployment keeps of texts beside ledger and indexes. @returns where bytes may still be */
export type ScrubFiles = () => Promise<readonly string[]>;

export interface MaintenanceParts {
  readonly current: CurrentServices;
  readonly mover: IndexMover;
  readonly reportProblem: ReportProblem;
  readonly backupLedger: BackupLedger | undefined;
  readonly scrubFiles: ScrubFiles | undefined;
}

/** Jobs that concern every tenant, and so need more than the role `admin` in one. */
const operatorJobs: ReadonlySet<MaintenanceJobType> = new Set<MaintenanceJobType>(["reindex", "compact", "backup"]);

/** The jobs that keep a deployment in order. */
export class Maintenance {
  readonly #parts: MaintenanceParts;

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
  }

  /** As a principal may use them. @throws LociError `ROLE_REQUIRED` */
  for(principal: Principal, calls: RunningCalls): MaintenanceApi {
    const run = (job: MaintenanceJob, options: MaintenanceOptions = {}): Promise<MaintenanceReport> => {
      const { onProgress, ...call } = options;
      return calls.run(call, (signal) => this.#run(principal, job, { signal, onProgress }));
    };
    return {
      ...maintenanceMethods(run),
      exportMemories: () => {
        throw new LociError("UNSUPPORTED_OPERATION", { message: "Not yet." });
      },
      importMemories: () => {
        throw new LociError("UNSUPPORTED_OPERATION", { message: "Not yet." });
      },
    };
  }

  async #run(principal: Principal, job: MaintenanceJob, call: MaintenanceCall): Promise<MaintenanceReport> {
    authorize(principal, operatorJobs.has(job.type) ? "operate" : "admin", []);
    switch (job.type) {
      case "reindex":
        return this.#parts.mover.reindex(job, job.dryRun === true, call);
      case "verify":
        return verifyIndexes(this.#services, principal.tenant, job, call);
      default:
        throw new LociError("UNSUPPORTED_OPERATION", { message: "Not yet." });
    }
  }

  get #services(): EngineServices {
    return this.#parts.current.now;
  }
}
