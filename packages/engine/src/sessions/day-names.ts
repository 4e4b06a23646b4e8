import { calendarDay } from "@loci/core";
import type { Instant } from "@loci/domain";

/** A day of the calendar, whatever its hours were where it was. In milliseconds. */
const dayLength = 86_400_000;
/** How many days a section of daily logs shows: today and six before. */
export const shownDays = 7;

/**
 * The days up to the one an instant is on in a time zone, newest first, as `yyyy-mm-dd`.
 *
 * @throws LociError `INVALID_REQUEST` for an unknown time zone
 */
export function dayNames(now: Instant, timeZone: string, count: number): readonly string[] {
  const today = calendarDay(now, timeZone);
  return Array.from({ length: count }, (_, back) => new Date(today - back * dayLength).toISOString().slice(0, 10));
}
