import { localTimes } from "@loci/core";
import { LociError, shownValue } from "@loci/domain";

/** @throws LociError `INVALID_REQUEST` for what is no time zone */
export function checkTimeZone(timeZone: unknown, path = "timeZone"): string {
  if (typeof timeZone === "string" && isTimeZone(timeZone)) return timeZone;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} is ${shownValue(timeZone)}, which is no time zone.`,
    field: path,
    advice: "Use an IANA name such as Europe/Berlin, or UTC.",
  });
}

function isTimeZone(name: string): boolean {
  try {
    localTimes(name);
    return true;
  } catch {
    return false;
  }
}
