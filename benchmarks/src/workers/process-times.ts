import { readFileSync } from "node:fs";

const clockTicksPerSecond = 100;

/** Processor time of one process, in milliseconds. */
export interface ProcessTimes {
  /** Of all of its threads, without the processes that it started. */
  readonly whole: number;
  /** Of its main thread, which runs the JavaScript. */
  readonly main: number;
}

/** Linux only. */
export function processTimes(processId: number): ProcessTimes {
  // After the name, which may hold spaces: utime and stime are fields 14 and 15.
  const fields = readFileSync(`/proc/${processId}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const [nanoseconds] = readFileSync(`/proc/${processId}/schedstat`, "utf8").split(" ");
  return {
    whole: ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond,
    main: Number(nanoseconds) / 1e6,
  };
}
