import type { proto } from "@loci/api";
import { LociError } from "@loci/loci";

const defaultWait = 30_000;
const longestWait = 60_000;

/** How long a call waits at most, in whole milliseconds, as timers take them. @throws LociError `INVALID_NUMBER` */
export function waitOf(timeout: proto.WaitOperationRequest["timeout"]): number {
  if (timeout === undefined) return defaultWait;
  const milliseconds = Math.ceil(Number(timeout.seconds) * 1_000 + timeout.nanos / 1_000_000);
  if (milliseconds >= 0 && milliseconds <= longestWait) return milliseconds;
  throw new LociError("INVALID_NUMBER", {
    message: `timeout is ${milliseconds / 1_000} s, but must be 0 to ${longestWait / 1_000} s.`,
    field: "timeout",
    advice: "Wait again when the wait is over.",
  });
}
