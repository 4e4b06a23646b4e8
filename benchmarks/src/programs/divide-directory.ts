// A process that divides a data directory, and tells its parent how far it is and what it holds.
import { readdirSync } from "node:fs";
import { divideAnew } from "@loci/loci";

/** How far dividing is. */
export interface DivideProgress {
  readonly done: number;
  readonly total: number;
  /** Resident, in bytes. */
  readonly resident: number;
  readonly descriptors: number;
  /** Processor time of all threads since the process began, in milliseconds. */
  readonly processor: number;
}

const [dataDirectory = "", shards = ""] = process.argv.slice(2);
const tell = (done: number, total: number): void => {
  const { user, system } = process.cpuUsage();
  const descriptors = readdirSync("/proc/self/fd").length;
  const told: DivideProgress = {
    done,
    total,
    resident: process.memoryUsage.rss(),
    descriptors,
    processor: (user + system) / 1_000,
  };
  process.send?.(told);
};
let last = 0;
const { moved } = await divideAnew({
  dataDirectory,
  shards: Number(shards),
  onProgress: ({ doing, done, total }) => {
    if (doing === "removing" || performance.now() < last + 200) return;
    last = performance.now();
    tell(done, total);
  },
});
tell(moved, moved);
process.disconnect();
