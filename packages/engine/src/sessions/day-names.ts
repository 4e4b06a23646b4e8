import { localTimes } from "@loci/core";
import type { Instant } from "@loci/domain";

/** How many days a section of daily logs shows: today and six before. */
export const shownDays = 7;

/**
 * The days up to the one an instant is on in a time zone, newest first, as `yyyy-mm-dd`.
 *
 * @throws LociError `INVALID_REQUEST` for an unknown time zone
 */
export function dayNames(now: Instant, timeZone: string, count: number): readonly string[] {
  const [year = 0, month = 1, day = 1] = localTimes(timeZone)(now).date.split("-").map(Number);
  // Days are counted on the calendar: not each has 24 hours.
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1, day - back)).toISOString().slice(0, 10),
  );
}
