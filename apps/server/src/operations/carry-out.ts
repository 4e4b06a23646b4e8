import { authorize, type MaintenanceJob, type OpenedEngine, type Principal } from "@loci/loci";
import { backupTarget } from "../maintenance/backup-target.ts";
import type { CarryOut } from "./operation-work.ts";

/**
 * Carries operations out with an engine.
 *
 * @param backupDirectory the only place that backups go to. Absolute
 */
export function operationWork(engine: Pick<OpenedEngine, "for">, backupDirectory: string): CarryOut {
  const placed = async (principal: Principal, job: MaintenanceJob): Promise<MaintenanceJob> => {
    if (job.type !== "backup") return job;
    // As the engine does, before anything is said of the name.
    authorize(principal, "operate", []);
    return { ...job, directory: await backupTarget(backupDirectory, job.directory) };
  };
  return async ({ principal, job }, call) => {
    const loci = engine.for(principal);
    if (job !== undefined) return loci.maintenance.run(await placed(principal, job), call);
    await loci.settled({ signal: call.signal });
    return undefined;
  };
}
