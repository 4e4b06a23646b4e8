import { authorize, LociError, type MaintenanceJob } from "@loci/loci";
import type { OperationRegistry } from "./operation-registry.ts";
import type { ServedOperations } from "./served-operations.ts";

/** Jobs on the files of every tenant. Done in one shard they would seem to be done. */
const deploymentJobs: ReadonlySet<MaintenanceJob["type"]> = new Set(["backup", "compact", "encrypt", "reindex"]);

/** The operations of a server that has one shard of a divided data directory: without those that are for all of it. */
export function operationsOfShard(operations: OperationRegistry): ServedOperations {
  return {
    start: async (principal, work) => {
      const type = work.job?.type;
      if (type === undefined || !deploymentJobs.has(type)) return operations.start(principal, work);
      authorize(principal, "operate", []);
      throw new LociError("UNSUPPORTED_OPERATION", {
        message: `The job ${type} is for the whole data directory, which several workers serve, each a shard of it.`,
        advice:
          type === "backup"
            ? "Run `loci backup` with --data on the server's machine: it backs up every shard while they are served."
            : "Stop the server and run it on each shard: the data directory itself, and every directory in its folder shards.",
      });
    },
    get: (principal, id) => operations.get(principal, id),
    wait: (principal, id, milliseconds, signal) => operations.wait(principal, id, milliseconds, signal),
    cancel: (principal, id) => operations.cancel(principal, id),
  };
}
