import { isAbsolute } from "node:path";
import { beginDividedBackup, endDividedBackup, LociError, shardBackup } from "@loci/loci";
import type { TenantMover } from "./tenant-mover.ts";
import type { WorkerProcess } from "./worker-process.ts";

export interface BackUpShardsOptions {
  readonly mover: TenantMover;
  readonly workers: readonly WorkerProcess[];
  readonly signal: AbortSignal;
}

/**
 * Backs up every shard while they are served. No tenant is moved meanwhile, so that each is in one of them. The shards are backed up
 * at about the same time, and each as it is at one moment.
 *
 * @param directory new or empty, absolute
 * @throws LociError `INVALID_REQUEST` for any other; `SERVER_UNAVAILABLE` when a worker is not there; `DISK_FULL`
 */
export async function backUpShards(
  directory: string,
  { mover, workers, signal }: BackUpShardsOptions,
): Promise<{ readonly directory: string; readonly shards: number }> {
  if (!isAbsolute(directory) || directory.includes("\0"))
    throw new LociError("INVALID_REQUEST", {
      message: "The directory of a backup is not absolute.",
      field: "directory",
      advice: "Name the whole path of a new or empty directory.",
    });
  return mover.alone(async () => {
    await beginDividedBackup(directory);
    const backups = await Promise.allSettled(
      workers.map((worker) => worker.ask({ type: "backup", directory: shardBackup(directory, worker.number) }, signal)),
    );
    for (const one of backups) if (one.status === "rejected") throw one.reason;
    const { division } = mover.shards;
    endDividedBackup(directory, division);
    return { directory, shards: division.shards };
  });
}
